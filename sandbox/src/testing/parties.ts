import type { Keypair } from '@stellar/stellar-sdk';
import type { TestResponse, RunningSandbox } from './running-sandbox.js';

/** Wallets for the roles of an escrow, assigned as the platform does. */
export type Parties = Readonly<Record<'buyer' | 'seller' | 'platform' | 'arbiter', Keypair>>;

export async function createParties(sandbox: RunningSandbox, buyerUsdc = 1_000): Promise<Parties> {
  const [buyer, seller, platform, arbiter] = await Promise.all([
    sandbox.wallet(buyerUsdc),
    sandbox.wallet(),
    sandbox.wallet(),
    sandbox.wallet(),
  ]);
  return { buyer, seller, platform, arbiter };
}

function rolesOf({ buyer, seller, platform, arbiter }: Parties) {
  return {
    approver: buyer.publicKey(),
    serviceProvider: seller.publicKey(),
    platformAddress: platform.publicKey(),
    releaseSigner: buyer.publicKey(),
    disputeResolver: arbiter.publicKey(),
  };
}

export function singleRelease(sandbox: RunningSandbox, parties: Parties, overrides: Readonly<Record<string, unknown>> = {}) {
  return {
    signer: parties.buyer.publicKey(),
    engagementId: 'ord_1',
    title: 'A website',
    description: 'Made to measure',
    roles: { ...rolesOf(parties), receiver: parties.seller.publicKey() },
    amount: 100,
    platformFee: 5,
    milestones: [{ description: 'all of it' }],
    trustline: { address: sandbox.usdcIssuer, symbol: 'USDC' },
    ...overrides,
  };
}

export function multiRelease(sandbox: RunningSandbox, parties: Parties, amounts: readonly number[]) {
  const { amount: _amount, roles: _roles, ...common } = singleRelease(sandbox, parties);
  const receiver = parties.seller.publicKey();
  const milestones = amounts.map((amount, index) => ({ description: `part ${index}`, amount, receiver }));
  return { ...common, roles: rolesOf(parties), milestones };
}

/** A deployed single-release contract that holds its 100 USDC. */
export async function fundedEscrow(sandbox: RunningSandbox, parties: Parties): Promise<string> {
  const { body } = await sandbox.write('/deployer/single-release', singleRelease(sandbox, parties), parties.buyer);
  const contractId = String(body.contractId);
  await fund(sandbox, parties, contractId, 100);
  return contractId;
}

export function fund(sandbox: RunningSandbox, { buyer }: Parties, contractId: string, amount: number): Promise<TestResponse> {
  return sandbox.write('/escrow/single-release/fund-escrow', { contractId, signer: buyer.publicKey(), amount }, buyer);
}

type MilestoneTarget = { readonly index?: string; readonly type?: string };

export function complete(sandbox: RunningSandbox, { seller }: Parties, contractId: string, target: MilestoneTarget = {}) {
  const { index = '0', type = 'single-release' } = target;
  const body = { contractId, milestoneIndex: index, newStatus: 'completed', serviceProvider: seller.publicKey() };
  return sandbox.write(`/escrow/${type}/change-milestone-status`, body, seller);
}

export function approve(sandbox: RunningSandbox, { buyer }: Parties, contractId: string, target: MilestoneTarget = {}) {
  const { index = '0', type = 'single-release' } = target;
  return sandbox.write(
    `/escrow/${type}/approve-milestone`,
    { contractId, milestoneIndex: index, approver: buyer.publicKey() },
    buyer,
  );
}
