import { toEpochMs } from '@holdfast/kernel/context';
import { escrowCreationUnconfirmed } from '@holdfast/contracts/messages';
import type { Addresses, Contract, DeployedContract } from '../domain/contract.js';
import type { Intent, RunResult } from '@holdfast/intents';
import {
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  publishReply,
  type IntentRun,
  type IntentContext,
} from './close-intent.js';
import { created, creationFailed } from './intent-completions.js';
import type { Deps, LandingSource, TransactionResult } from './ports.js';

/** Deploys an order's contract, signed by the buyer. Until the deployment has landed the intent can still fail. */
export async function deployContract(deps: Deps, context: IntentContext): Promise<RunResult> {
  const { intent, contract } = context;
  const run = { ...context, session: deps.transactions.session(intent, context.signal) };
  return inSession(run, async () => {
    const earlier = await run.session.resume();
    if (earlier.some(({ status }) => status === 'unknown')) return {};
    const landed = earlier.find((result) => result.status === 'landed');
    if (landed === undefined && hasUsedAllAttempts(intent)) return failDeployment(deps, run, unreachableReason);
    const addresses = await addressesOf(deps, contract);
    if (landed !== undefined) return confirm(deps, run, addresses, landed.source);
    return afterDeployment(deps, run, addresses, await deploy(deps, run, addresses));
  });
}

export async function addressesOf(
  { wallets }: Pick<Deps, 'wallets'>,
  { buyerId, sellerId, marketplaceId }: Contract,
): Promise<Addresses> {
  const [buyer, seller] = await Promise.all([
    wallets.addressOf(buyerId, marketplaceId),
    wallets.addressOf(sellerId, marketplaceId),
  ]);
  return { buyer, seller, platform: wallets.platformAddress() };
}

function deploy(
  { provider }: Deps,
  { intent, contract, session, signal }: IntentRun,
  addresses: Addresses,
): Promise<TransactionResult> {
  const role = { user: contract.buyerId, marketplaceId: contract.marketplaceId };
  return session.execute({
    step: 'deploy',
    requestText: `deploy ${contract.escrowId}`,
    operation: 'deploy',
    signers: [{ role, address: addresses.buyer }],
    build: () => provider.buildDeployment(contract, addresses, { priority: intent.priority, signal }),
  });
}

function afterDeployment(deps: Deps, run: IntentRun, addresses: Addresses, result: TransactionResult): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return confirm(deps, run, addresses, result.source);
    case 'unknown':
      return Promise.resolve({});
    case 'failed':
    case 'expired':
    case 'not-built':
      return failDeployment(deps, run, result.reason);
  }
}

/** The deployment has landed; finds the id of its contract. */
async function confirm(deps: Deps, run: IntentRun, addresses: Addresses, source: LandingSource): Promise<RunResult> {
  const { intent, contract } = run;
  if (source.by === 'provider') {
    if (source.contractId !== undefined) return closeAsCreated(deps, run, { addresses, contractId: source.contractId });
    if (!isUnconfirmedPublished(intent)) return publishUnconfirmed(deps, run);
  }
  const contractId = await findContractId(deps, intent, contract, addresses);
  if (contractId !== undefined) return closeAsCreated(deps, run, { addresses, contractId });
  if (deps.clock.epochMs() - toEpochMs(intent.createdAt) > deps.unconfirmedMsMax) {
    return failDeployment(deps, run, 'the provider did not return the contract id in time');
  }
  return isUnconfirmedPublished(intent) ? {} : publishUnconfirmed(deps, run);
}

function isUnconfirmedPublished({ workerState }: Intent): boolean {
  return workerState['isUnconfirmedPublished'] === true;
}

const lookUpAfterMs = 1_000;

/** Publishes `escrow.creation_unconfirmed` for the waiting request. The intent stays open until the contract id is known. */
async function publishUnconfirmed(deps: Deps, { intent, contract }: IntentRun): Promise<RunResult> {
  const { escrowId, orderId } = contract;
  await deps.inTransaction(async (tx) => {
    await deps.intents.saveWorkerState(tx, intent, { isUnconfirmedPublished: true });
    await publishReply(deps, tx, intent, { declaration: escrowCreationUnconfirmed, payload: { escrowId, orderId }, contract });
  });
  return { retryInMs: lookUpAfterMs };
}

/** Searches the provider by the order id, which is the contract's engagement id; then the contract ids of provider events. */
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
  const contractIds = await events.contractIdsFor(orderId);
  if (contractIds.length === 0) return undefined;
  const candidates = await provider.read(contractIds, options);
  return candidates.find(
    (candidate) => candidate.engagementId === orderId && candidate.type === type && candidate.signer === signer,
  )?.contractId;
}

function closeAsCreated(
  deps: Deps,
  run: IntentRun,
  deployed: Pick<DeployedContract, 'addresses' | 'contractId'>,
): Promise<RunResult> {
  return closeIntent(deps, run, created(run.contract, deployed));
}

function failDeployment(deps: Deps, run: IntentRun, reason: string): Promise<RunResult> {
  return closeIntent(deps, run, creationFailed(run.contract, reason));
}
