import { toEpochMs } from '@holdfast/shared/context';
import { escrowCreated, escrowCreationFailed, escrowCreationUnconfirmed } from '@holdfast/shared/contracts/messages';
import { formatMoney } from '@holdfast/shared/money';
import type { Addresses, Contract } from '../domain/contract.js';
import type { Intent, RunResult } from '../lanes/index.js';
import { endIntent, givenUpReason, inSession, isTimeToCallOff, tellOfIntent, type Run, type Work } from './endings.js';
import type { Deps, SaidOfLanding, TransactionResult } from './ports.js';

/** Deploys an order's contract, signed by the buyer. Until it has landed everything can be called off. */
export async function deployContract(deps: Deps, work: Work): Promise<RunResult> {
  const { intent, contract } = work;
  const run = { ...work, session: deps.transactions.session(intent, work.signal) };
  return inSession(run, async () => {
    const earlier = await run.session.resume();
    if (earlier.some(({ outcome }) => outcome === 'unknown')) return {};
    const landed = earlier.find((result) => result.outcome === 'landed');
    if (landed === undefined && isTimeToCallOff(intent)) return giveUp(deps, run, givenUpReason);
    const addresses = await addressesOf(deps, contract);
    if (landed !== undefined) return confirm(deps, run, addresses, landed.said);
    return afterDeployment(deps, run, addresses, await deploy(deps, run, addresses));
  });
}

async function addressesOf({ wallets }: Deps, { buyerId, sellerId, marketplaceId }: Contract): Promise<Addresses> {
  const [buyer, seller] = await Promise.all([
    wallets.addressOf(buyerId, marketplaceId),
    wallets.addressOf(sellerId, marketplaceId),
  ]);
  return { buyer, seller, platform: wallets.platformAddress() };
}

function deploy(
  { provider }: Deps,
  { intent, contract, session, signal }: Run,
  addresses: Addresses,
): Promise<TransactionResult> {
  const role = { user: contract.buyerId, marketplaceId: contract.marketplaceId };
  return session.carryOut({
    step: 'deploy',
    asked: `deploy ${contract.escrowId}`,
    operation: 'deploy',
    signers: [{ role, address: addresses.buyer }],
    build: () => provider.buildDeployment(contract, addresses, { priority: intent.priority, signal }),
  });
}

function afterDeployment(deps: Deps, run: Run, addresses: Addresses, result: TransactionResult): Promise<RunResult> {
  switch (result.outcome) {
    case 'landed':
      return confirm(deps, run, addresses, result.said);
    case 'unknown':
      return Promise.resolve({});
    case 'failed':
    case 'never':
    case 'unbuilt':
      return giveUp(deps, run, result.reason);
  }
}

/** A deployment has landed; what is left is to learn which contract it made. */
async function confirm(deps: Deps, run: Run, addresses: Addresses, said: SaidOfLanding): Promise<RunResult> {
  const { intent, contract } = run;
  if (said.by === 'provider') {
    if (said.contractId !== undefined) return created(deps, run, addresses, said.contractId);
    if (!isToldUnconfirmed(intent)) return tellUnconfirmed(deps, run);
  }
  const contractId = await findContractId(deps, intent, contract, addresses);
  if (contractId !== undefined) return created(deps, run, addresses, contractId);
  if (deps.clock.epochMs() - toEpochMs(intent.createdAt) > deps.unconfirmedMsMax) {
    return giveUp(deps, run, 'the provider never said which contract it had made');
  }
  return isToldUnconfirmed(intent) ? {} : tellUnconfirmed(deps, run);
}

function isToldUnconfirmed({ memo }: Intent): boolean {
  return memo['isToldUnconfirmed'] === true;
}

const lookUpAfterMs = 1_000;

/** Whoever waits is told now; the intent stays open until the provider names the contract. */
async function tellUnconfirmed(deps: Deps, { intent, contract }: Run): Promise<RunResult> {
  const { escrowId, orderId } = contract;
  await deps.inTransaction(async (tx) => {
    await deps.intents.note(tx, intent, { isToldUnconfirmed: true });
    await tellOfIntent(deps, tx, intent, { declaration: escrowCreationUnconfirmed, payload: { escrowId, orderId }, contract });
  });
  return { againInMs: lookUpAfterMs };
}

/** By the order, which the contract carries as its engagement; else among those that the provider's events named. */
async function findContractId(
  { provider, events }: Deps,
  intent: Intent,
  { orderId, type }: Contract,
  { buyer: signer }: Addresses,
): Promise<string | undefined> {
  const options = { priority: intent.priority };
  const found = await provider.findDeployed({ signer, engagementId: orderId }, options);
  const own = found.find((candidate) => candidate.type === type);
  if (own !== undefined) return own.contractId;
  const named = await events.namedFor(orderId);
  if (named.length === 0) return undefined;
  const candidates = await provider.read(named, options);
  return candidates.find(
    (candidate) => candidate.engagementId === orderId && candidate.type === type && candidate.signer === signer,
  )?.contractId;
}

function created(deps: Deps, run: Run, addresses: Addresses, contractId: string): Promise<RunResult> {
  const { escrowId, orderId, amount } = run.contract;
  return endIntent(deps, run, {
    declaration: escrowCreated,
    payload: { escrowId, orderId, amount: formatMoney(amount), currency: amount.currency, providerContractId: contractId },
    change: () => ({ move: 'create', addresses, contractId }),
  });
}

function giveUp(deps: Deps, run: Run, reason: string): Promise<RunResult> {
  const { escrowId, orderId } = run.contract;
  return endIntent(deps, run, {
    declaration: escrowCreationFailed,
    payload: { escrowId, orderId, reason },
    change: () => ({ move: 'fail' }),
  });
}
