import { assetOf, type DeployedContract } from '../domain/contract.js';
import { planFunding } from '../domain/plan.js';
import { spendableUnits } from '@holdfast/ledger-network/values';
import type { Step } from '../domain/steps.js';
import type { RunResult } from '@holdfast/intents';
import { requireDeployed } from './require-contract.js';
import {
  awaitOperator,
  buildOptionsOf,
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  type IntentRun,
  type IntentContext,
} from './close-intent.js';
import { funded, fundingFailed } from './intent-completions.js';
import type { Spendable } from './entry-ports.js';
import type { Deps } from './ports.js';
import { tryReadStateAnd, type UnreadState } from './read-state.js';
import { reportRefusedSigning } from './report-refused-signing.js';
import type { Signer, TransactionResult } from '@holdfast/ledger-network/submission';

type FundStep = Extract<Step, { readonly does: 'fund' }>;
type FundingRun = IntentRun<'fund'> & { readonly contract: DeployedContract };

/** Pays the missing amount into the contract: from the buyer's wallet if it holds enough, else from the treasury. */
export async function fundContract(deps: Deps, context: IntentContext<'fund'>): Promise<RunResult> {
  const { intent } = context;
  const contract = requireDeployed(context.contract);
  const run = { ...context, session: deps.transactions.session(intent, context.signal), contract };
  return inSession(run, async () => {
    const earlier = await run.session.resume();
    if (earlier.some(({ status }) => status === 'mismatched')) return awaitOperator;
    const landed = earlier.find((result) => result.status === 'landed');
    if (landed !== undefined) return closeAsFunded(deps, run, landed.ledger);
    if (earlier.some(({ status }) => status === 'unknown')) return deps.deadlines.retryLater(intent);
    if (hasUsedAllAttempts(intent)) return failFunding(deps, run, unreachableReason);
    return payIn(deps, run);
  });
}

async function payIn(deps: Deps, run: FundingRun): Promise<RunResult> {
  const { contract } = run;
  const { buyerId, amount } = contract;
  const asset = assetOf(amount.currency);
  const [read, publishedUnits] = await Promise.all([
    // One request reads the contract and what the treasury can spend.
    tryReadStateAnd(deps, contract, deps.wallets.treasuryKeys[asset], { signal: run.signal }),
    // If the holdings cannot be read the treasury pays.
    deps.wallets.holdingsOf(buyerId, asset).catch(() => 0n),
  ]);
  if ('reason' in read) return afterUnread(deps, run, read);
  const plan = planFunding(contract, read.state);
  if (plan.status === 'impossible') return failFunding(deps, run, plan.reason);
  const [step] = plan.steps;
  if (step?.does !== 'fund') return closeAsFunded(deps, run);
  const canPay = publishedUnits >= step.units && (await networkUnits(deps, contract)) >= step.units;
  return canPay ? payFromWallet(deps, run, step) : payFromTreasury(deps, run, step, read.spendable);
}

async function payFromWallet(deps: Deps, run: FundingRun, step: FundStep): Promise<RunResult> {
  const own = await pay(deps, run, step, [buyerOf(run.contract)]);
  // The provider refuses to build a payment that the wallet cannot cover any more; then the treasury pays.
  const isRefused = own.status === 'not-built' && own.isRefusal;
  return isRefused ? payFromTreasury(deps, run, step) : afterPayment(deps, run, own);
}

function afterUnread(deps: Deps, run: FundingRun, { reason, isFinal }: UnreadState): Promise<RunResult> | RunResult {
  if (!isFinal && !deps.deadlines.isGivenUp(run.intent)) return deps.deadlines.retryLater(run.intent);
  return failFunding(deps, run, reason);
}

/** The stored holdings may lag behind the network, so a wallet that seems to hold enough is checked on the network. */
async function networkUnits({ network }: Deps, { addresses, amount }: DeployedContract): Promise<bigint> {
  const wallet = await network.account(addresses.buyer).catch(() => undefined);
  return wallet === undefined ? 0n : spendableUnits(wallet, assetOf(amount.currency));
}

/** `spendable` is what the treasury can spend, where that was just read. */
async function payFromTreasury(deps: Deps, run: FundingRun, step: FundStep, spendable?: Spendable): Promise<RunResult> {
  const amount = { asset: assetOf(run.contract.amount.currency), units: step.units };
  const payers = await deps.wallets.treasuryPayers(amount, spendable);
  if (payers.length === 0) return failFunding(deps, run, 'the treasury does not hold enough');
  const result = await pay(deps, run, step, payers);
  const isRefused = result.status === 'failed' || (result.status === 'not-built' && result.isRefusal);
  if (isRefused) await deps.wallets.assertHeld(amount, payers);
  return afterPayment(deps, run, result);
}

function buyerOf({ buyerId, addresses }: DeployedContract): Signer {
  return { role: { wallet: buyerId }, address: addresses.buyer };
}

function isOnlyChannel(signers: readonly Signer[], role: Signer['role']): boolean {
  return signers.length === 1 && role !== 'platform' && 'treasury' in role;
}

function pay(deps: Deps, run: FundingRun, step: FundStep, signers: readonly Signer[]): Promise<TransactionResult> {
  const { contract, session } = run;
  const { contractId, type, addresses } = contract;
  const spends = { asset: assetOf(contract.amount.currency), units: step.units };
  return session.execute({
    step: 'fund',
    requestText: `fund ${contractId} ${step.units}`,
    signers,
    spends,
    build: async ({ role, address: payer }) => {
      // Several large payments may have found the same channel; by now this one has its lease.
      if (isOnlyChannel(signers, role)) await deps.wallets.assertHeld(spends, signers);
      return deps.provider.buildStep({ contractId, type, addresses: { ...addresses, payer } }, step, buildOptionsOf(run));
    },
    expect: ({ address: payer }) => deps.expectations.step(contract, step, payer),
  });
}

async function afterPayment(deps: Deps, run: FundingRun, result: TransactionResult): Promise<RunResult> {
  switch (result.status) {
    case 'landed':
      return closeAsFunded(deps, run, result.ledger);
    case 'unknown':
      return deps.deadlines.retryLater(run.intent);
    case 'mismatched':
      return awaitOperator;
    case 'expired':
      // The next run builds a new transaction.
      return {};
    case 'not-built':
      return afterUnread(deps, run, { reason: result.reason, isFinal: result.isRefusal });
    case 'failed':
      return failFunding(deps, run, result.reason);
    case 'refused':
      return failFunding(deps, run, await reportRefusedSigning(deps, run, result));
  }
}

function closeAsFunded(deps: Deps, run: FundingRun, ledger?: number): Promise<RunResult> {
  return closeIntent(deps, run, funded(run.contract, deps.clock.now()), ledger);
}

function failFunding(deps: Deps, run: FundingRun, reason: string): Promise<RunResult> {
  return closeIntent(deps, run, fundingFailed(run.contract, reason));
}
