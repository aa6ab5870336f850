import { escrowCreationUnconfirmed } from '@holdfast/contracts/messages';
import { isDeployed, type Addresses, type Contract } from '../domain/contract.js';
import type { RunResult } from '@holdfast/intents';
import {
  awaitOperator,
  buildOptionsOf,
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  publishReply,
  type IntentRun,
  type IntentContext,
} from './close-intent.js';
import { created, creationFailed } from './intent-completions.js';
import type { Deps } from './ports.js';
import { reportRefusedSigning } from './report-refused-signing.js';
import type { TransactionResult } from '@holdfast/ledger-network/submission';

/**
 * Deploys an order's contract, signed by the buyer. Until the deployment has landed the intent can still fail. A contract that is there
 * already was adopted.
 */
export async function deployContract(deps: Deps, context: IntentContext<'deploy'>): Promise<RunResult> {
  const { intent, contract } = context;
  const run = { ...context, session: deps.transactions.session(intent, context.signal) };
  return inSession(run, async () => {
    const earlier = await run.session.resume();
    if (earlier.some(({ status }) => status === 'mismatched')) return awaitOperator;
    if (earlier.some(({ status }) => status === 'unknown')) return waitForOutcome(deps, run);
    const landed = earlier.find((result) => result.status === 'landed');
    if (landed === undefined && isDeployed(contract)) return closeIntent(deps, run, created(contract, contract));
    if (landed === undefined && hasUsedAllAttempts(intent)) return failDeployment(deps, run, unreachableReason);
    const addresses = await addressesOf(deps, contract);
    if (landed !== undefined) return closeAsCreated(deps, run, addresses, landed);
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

function deploy({ provider, expectations }: Deps, run: IntentRun<'deploy'>, addresses: Addresses): Promise<TransactionResult> {
  const { contract, session } = run;
  const role = { wallet: contract.buyerId };
  return session.execute({
    step: 'deploy',
    requestText: `deploy ${contract.escrowId}`,
    signers: [{ role, address: addresses.buyer }],
    build: () => provider.buildDeployment(contract, addresses, buildOptionsOf(run)),
    expect: () => expectations.deployment(contract, addresses),
  });
}

async function afterDeployment(
  deps: Deps,
  run: IntentRun<'deploy'>,
  addresses: Addresses,
  result: TransactionResult,
): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return closeAsCreated(deps, run, addresses, result);
    case 'unknown':
      return waitForOutcome(deps, run);
    case 'mismatched':
      return awaitOperator;
    case 'expired':
      // The next run builds a new transaction.
      return {};
    case 'not-built':
      if (!result.isRefusal && !deps.deadlines.isGivenUp(run.intent)) return deps.deadlines.retryLater(run.intent);
      return failDeployment(deps, run, result.reason);
    case 'failed':
      return failDeployment(deps, run, result.reason);
    case 'refused':
      return failDeployment(deps, run, await reportRefusedSigning(deps, run, result));
  }
}

/**
 * Publishes `escrow.creation_unconfirmed` once, when the network has not decided for a while: the waiting request gets the order as it
 * is, in ESCROW_CREATING. The intent stays open until the network has decided.
 */
async function waitForOutcome(deps: Deps, { intent, contract }: IntentRun<'deploy'>): Promise<RunResult> {
  const isPublished = intent.workerState['isUnconfirmedPublished'] === true;
  if (isPublished || !deps.deadlines.isGivenUp(intent)) return deps.deadlines.retryLater(intent);
  const { escrowId, orderId } = contract;
  await deps.inTransaction(async (tx) => {
    await deps.intents.saveWorkerState(tx, intent, { isUnconfirmedPublished: true });
    await publishReply(deps, tx, intent, { declaration: escrowCreationUnconfirmed, payload: { escrowId, orderId }, contract });
  });
  return deps.deadlines.retryLater(intent);
}

type LandedTransaction = Extract<TransactionResult, { readonly status: 'landed' }>;

/** The id of the contract follows from the signed deployment, so no response has to name it. */
function closeAsCreated(
  deps: Deps,
  run: IntentRun<'deploy'>,
  addresses: Addresses,
  { transaction, ledger }: LandedTransaction,
): Promise<RunResult> {
  const contractId = deps.expectations.deployedContractId(transaction);
  return closeIntent(deps, run, created(run.contract, { addresses, contractId }), ledger);
}

function failDeployment(deps: Deps, run: IntentRun<'deploy'>, reason: string): Promise<RunResult> {
  return closeIntent(deps, run, creationFailed(run.contract, reason));
}
