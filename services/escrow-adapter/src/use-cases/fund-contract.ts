import { assetOf, type DeployedContract } from '../domain/contract.js';
import { planFunding } from '../domain/plan.js';
import type { Step } from '../domain/steps.js';
import type { RunResult } from '@holdfast/intents';
import { requireDeployed } from './require-contract.js';
import {
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  type IntentRun,
  type IntentContext,
} from './close-intent.js';
import { funded, fundingFailed } from './intent-completions.js';
import type { Deps, Signer, TransactionResult } from './ports.js';
import { tryReadState } from './read-state.js';

type FundStep = Extract<Step, { readonly does: 'fund' }>;
type FundingRun = IntentRun & { readonly contract: DeployedContract };

/** Pays the missing amount into the contract: from the buyer's wallet if it holds enough, else from the treasury. */
export async function fundContract(deps: Deps, context: IntentContext): Promise<RunResult> {
  const { intent } = context;
  const contract = requireDeployed(context.contract);
  const run = { ...context, session: deps.transactions.session(intent, context.signal), contract };
  return inSession(run, async () => {
    const earlier = await run.session.resume();
    if (earlier.some(({ status }) => status === 'landed')) return closeAsFunded(deps, run);
    if (earlier.some(({ status }) => status === 'unknown')) return {};
    if (hasUsedAllAttempts(intent)) return failFunding(deps, run, unreachableReason);
    return payIn(deps, run);
  });
}

async function payIn(deps: Deps, run: FundingRun): Promise<RunResult> {
  const { contract, intent } = run;
  const { buyerId, amount } = contract;
  const [read, publishedUnits] = await Promise.all([
    tryReadState(deps, contract, { priority: intent.priority }),
    // If the holdings cannot be read the treasury pays.
    deps.wallets.holdingsOf(buyerId, assetOf(amount.currency)).catch(() => 0n),
  ]);
  if ('reason' in read) return failFunding(deps, run, read.reason);
  const plan = planFunding(contract, read.state);
  if (plan.status === 'impossible') return failFunding(deps, run, plan.reason);
  const [step] = plan.steps;
  if (step?.does !== 'fund') return closeAsFunded(deps, run);
  const neededUnits = step.units + walletReserveUnits(contract);
  const canPay = publishedUnits >= neededUnits && (await networkUnits(deps, contract)) >= neededUnits;
  return afterPayment(deps, run, await payFrom(deps, run, step, canPay));
}

/** The stored holdings may lag behind the network, so a wallet that seems to hold enough is checked on the network. */
async function networkUnits({ network }: Deps, { addresses, amount }: DeployedContract): Promise<bigint> {
  const wallet = await network.account(addresses.buyer).catch(() => undefined);
  return wallet?.balances[assetOf(amount.currency)] ?? 0n;
}

/** The provider refuses to build a payment that the wallet cannot cover any more; then the treasury pays. */
async function payFrom(deps: Deps, run: FundingRun, step: FundStep, canPay: boolean): Promise<TransactionResult> {
  const own = canPay ? await pay(deps, run, step, [buyerOf(run.contract)]) : undefined;
  const isPaid = own !== undefined && !(own.status === 'not-built' && own.isRefusal);
  return isPaid ? own : pay(deps, run, step, treasuryOf(deps));
}

const lumens = 10_000_000n;
const xlmReserve = 5n * lumens;

/** The XLM that a wallet needs for its ledger entries and fees. */
function walletReserveUnits({ amount }: DeployedContract): bigint {
  return assetOf(amount.currency) === 'XLM' ? xlmReserve : 0n;
}

function buyerOf({ buyerId, marketplaceId, addresses }: DeployedContract): Signer {
  return { role: { user: buyerId, marketplaceId }, address: addresses.buyer };
}

export function treasuryOf({ wallets }: Pick<Deps, 'wallets'>): readonly Signer[] {
  return Array.from({ length: wallets.treasuryChannelCount }, (_, treasury) => ({
    role: { treasury },
    address: wallets.treasuryAddress(treasury),
  }));
}

function pay(
  { provider }: Deps,
  { intent, contract, session, signal }: FundingRun,
  step: FundStep,
  signers: readonly Signer[],
): Promise<TransactionResult> {
  const { contractId, type, addresses } = contract;
  return session.execute({
    step: 'fund',
    requestText: `fund ${contractId} ${step.units}`,
    operation: 'fund',
    signers,
    spends: { asset: assetOf(contract.amount.currency), units: step.units },
    build: ({ address: payer }) =>
      provider.buildStep({ contractId, type, addresses: { ...addresses, payer } }, step, { priority: intent.priority, signal }),
  });
}

function afterPayment(deps: Deps, run: FundingRun, result: TransactionResult): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return closeAsFunded(deps, run);
    case 'unknown':
      return Promise.resolve({});
    case 'failed':
    case 'expired':
    case 'not-built':
      return failFunding(deps, run, result.reason);
  }
}

function closeAsFunded(deps: Deps, run: FundingRun): Promise<RunResult> {
  return closeIntent(deps, run, funded(run.contract, deps.clock.now()));
}

function failFunding(deps: Deps, run: FundingRun, reason: string): Promise<RunResult> {
  return closeIntent(deps, run, fundingFailed(run.contract, reason));
}
