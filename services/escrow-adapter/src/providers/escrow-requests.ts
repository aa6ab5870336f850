import { formatUnits } from '@holdfast/kernel/money';
import { assetOf, type Addresses, type Asset, type Contract } from '../domain/contract.js';
import { deliveredStatus, type Distribution, type Step } from '../domain/steps.js';
import type { StepContract } from '../use-cases/ports.js';

export type ProviderRequest = { readonly path: string; readonly body: Readonly<Record<string, unknown>> };

/** The provider's address of each asset. */
export type AssetAddresses = Readonly<Record<Asset, string>>;

/** The buyer approves and releases, the seller delivers and receives, the platform takes its fee and resolves disputes. */
export function deploymentRequest(
  contract: Contract,
  { buyer, seller, platform }: Addresses,
  assets: AssetAddresses,
): ProviderRequest {
  const { type, title, description, milestones, amount } = contract;
  const asset = assetOf(amount.currency);
  const roles = {
    approver: buyer,
    serviceProvider: seller,
    platformAddress: platform,
    releaseSigner: buyer,
    disputeResolver: platform,
  };
  const common = {
    signer: buyer,
    engagementId: contract.orderId,
    title,
    description,
    platformFee: contract.platformFeeBasisPoints / basisPointsPerPercent,
    trustline: { address: assets[asset], symbol: asset },
  };
  const body =
    type === 'single-release'
      ? { roles: { ...roles, receiver: seller }, amount: toNumber(amount.units), milestones: milestones.map(toDescription) }
      : { roles, milestones: milestones.map((of) => ({ ...toDescription(of), amount: toNumber(of.units), receiver: seller })) };
  return { path: `/deployer/${type}`, body: { ...common, ...body } };
}

const basisPointsPerPercent = 100;

/** The provider's path of each step, on the whole contract and on one milestone. */
const stepPaths: Readonly<Record<Step['does'], { readonly whole: string; readonly milestone: string }>> = {
  fund: { whole: 'fund-escrow', milestone: 'fund-escrow' },
  complete: { whole: 'change-milestone-status', milestone: 'change-milestone-status' },
  approve: { whole: 'approve-milestone', milestone: 'approve-milestone' },
  release: { whole: 'release-funds', milestone: 'release-milestone-funds' },
  dispute: { whole: 'dispute-escrow', milestone: 'dispute-milestone' },
  resolve: { whole: 'resolve-dispute', milestone: 'resolve-milestone-dispute' },
  withdrawRemaining: { whole: 'withdraw-remaining-funds', milestone: 'withdraw-remaining-funds' },
};

export function stepRequest(contract: StepContract, step: Step): ProviderRequest {
  const { contractId, type, addresses } = contract;
  const milestone = 'index' in step ? { milestoneIndex: String(step.index) } : {};
  const name = stepPaths[step.does]['index' in step ? 'milestone' : 'whole'];
  return { path: `/escrow/${type}/${name}`, body: { ...milestone, ...partsOf(step, addresses), contractId } };
}

function partsOf(step: Step, addresses: StepContract['addresses']): ProviderRequest['body'] {
  const { buyer, seller, platform, payer = buyer } = addresses;
  switch (step.does) {
    case 'fund':
      return { signer: payer, amount: toNumber(step.units) };
    case 'complete':
      return { newStatus: deliveredStatus, serviceProvider: seller };
    case 'approve':
      return { approver: buyer };
    case 'release':
      return { releaseSigner: buyer };
    case 'dispute':
      return { signer: buyer };
    case 'resolve':
    case 'withdrawRemaining':
      return { disputeResolver: platform, distributions: step.distributions.map(toDistribution(addresses)) };
  }
}

function toDistribution(addresses: Addresses) {
  return ({ to, units }: Distribution) => ({ address: addresses[to], amount: toNumber(units) });
}

function toDescription({ title }: { readonly title: string }): { readonly description: string } {
  return { description: title };
}

/** The provider's API takes numbers; the amount of an order has fewer digits than a number represents exactly. */
function toNumber(units: bigint): number {
  return Number(formatUnits(units));
}
