import { escrowSettlementContradicted } from '@holdfast/contracts/messages';
import { scopedSettlement } from '../domain/settlement-scope.js';
import { landedStep, paysOut, type SettlementStep } from '../domain/steps.js';
import type { RunResult } from '@holdfast/intents';
import { executeSettlement, type SettlementResult, type SettlementRun } from './execute-settlement.js';
import { requireDeployed } from './require-contract.js';
import {
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  publishReply,
  type IntentContext,
} from './close-intent.js';
import { settled, settlementFailed } from './intent-completions.js';
import type { Deps } from './ports.js';
import { settlementRequestOf, toSettlement, type SettlementRequest } from './settlement-request.js';
import type { TransactionResult } from '@holdfast/ledger-network/submission';

/**
 * Pays a contract, or a milestone of it, out as decided. It can fail until the first payout has landed; from then on it is retried until it
 * completes.
 */
export async function settleContract(deps: Deps, context: IntentContext<'settle'>): Promise<RunResult> {
  const { intent } = context;
  const request = settlementRequestOf(intent);
  const contract = requireDeployed(context.contract);
  const session = deps.transactions.session(intent, context.signal);
  const requested = toSettlement(request);
  const scoped = scopedSettlement(contract, requested);
  const settlement = 'settlement' in scoped ? scoped.settlement : requested;
  const run: SettlementRun = { ...context, session, settlement, landed: [], sinceLedger: 0, contract };
  return inSession(run, async () => {
    const earlier = await session.resume();
    run.landed.push(...earlier.flatMap(stepOf));
    run.sinceLedger = Math.max(0, ...earlier.map((result) => (result.status === 'landed' ? result.ledger : 0)));
    if (earlier.some(({ status }) => status === 'unknown')) return retryLater(deps, run);
    const mismatched = earlier.find((result) => result.status === 'mismatched');
    if (mismatched !== undefined) return reportContradiction(deps, run, mismatched.reason);
    // A payout outside was published before the command came; its message ends the intent.
    if (contract.releaseMode === 'order' && contract.status === 'SETTLED') return closeAsSettled(deps, run, request);
    const isPastNoReturn = run.landed.some(paysOut);
    if ('refusal' in scoped) return refuse(deps, run, scoped.refusal);
    if (isPastNoReturn) await savePastNoReturn(deps, run);
    if (!isPastNoReturn && hasUsedAllAttempts(intent)) return failSettlement(deps, run, unreachableReason);
    const end = await executeSettlement(deps, run);
    return afterExecution(deps, run, request, end);
  });
}

/** A run that is paused saves nothing, so it is saved before. */
async function savePastNoReturn({ inTransaction, intents }: Deps, { intent }: SettlementRun): Promise<void> {
  if (intent.workerState['isPastNoReturn'] === true) return;
  await inTransaction((tx) => intents.saveWorkerState(tx, intent, { isPastNoReturn: true }));
}

function afterExecution(deps: Deps, run: SettlementRun, request: SettlementRequest, end: SettlementResult): Promise<RunResult> {
  if (end.status === 'completed') return closeAsSettled(deps, run, request);
  if (end.status === 'stopped') return afterStop(deps, run, end);
  return Promise.resolve({ ...retryLater(deps, run), ...(end.status === 'expired' ? counted : {}) });
}

type Stopped = Extract<SettlementResult, { readonly status: 'stopped' }>;

function afterStop(deps: Deps, run: SettlementRun, end: Stopped): Promise<RunResult> {
  const { reason, isPastNoReturn, isContradiction = false, isPassing = false } = end;
  const mayRetry = isPassing && !deps.deadlines.isGivenUp(run.intent);
  if (!isPastNoReturn && !mayRetry) return failSettlement(deps, run, reason);
  if (isPastNoReturn && isContradiction) return reportContradiction(deps, run, reason);
  if (isPastNoReturn) deps.log.warn({ intentId: run.intent.id, escrowId: run.contract.escrowId, reason }, stalledText);
  return Promise.resolve(retryLater(deps, run));
}

const counted = { isUncounted: false } as const;
const stalledText = 'settlement past its point of no return is stalled';

function stepOf(result: TransactionResult): readonly SettlementStep[] {
  const step = result.status === 'landed' ? landedStep(result.transaction.step) : undefined;
  return step === undefined ? [] : [step];
}

function retryLater({ deadlines }: Deps, { landed, intent }: SettlementRun): Exclude<RunResult, 'closed'> {
  const later = deadlines.retryLater(intent);
  return landed.some(paysOut) ? { ...later, workerState: { isPastNoReturn: true } } : later;
}

function closeAsSettled(deps: Deps, run: SettlementRun, request: SettlementRequest): Promise<RunResult> {
  return closeIntent(deps, run, settled(run.contract, request, run.landed, deps.clock.now()), run.sinceLedger);
}

function failSettlement(deps: Deps, run: SettlementRun, reason: string): Promise<RunResult> {
  return closeIntent(deps, run, settlementFailed(run.contract, run.landed, reason), run.sinceLedger);
}

/**
 * The request does not fit what the contract has left to pay. If a payout of the milestone outside this platform was published
 * before, its messages end the intent instead of the failure.
 */
function refuse(deps: Deps, run: SettlementRun, reason: string): Promise<RunResult> {
  return run.landed.some(paysOut) ? reportContradiction(deps, run, reason) : failSettlement(deps, run, reason);
}

const contradictedRetryMs = 86_400_000;

/**
 * Publishes the contradiction, from which orders stops the run and alerts an operator. The intent stays open, because it is past its
 * point of no return. It is checked again once a day, and when its command is resent; a repeat publishes the same message.
 */
async function reportContradiction(deps: Deps, { intent, contract }: SettlementRun, reason: string): Promise<RunResult> {
  const { escrowId, orderId } = contract;
  const payload = { escrowId, orderId, reason };
  const reply = { declaration: escrowSettlementContradicted, payload, contract, isRepeated: true };
  const workerState = { isPastNoReturn: true };
  const isReported = await deps.inTransaction(async (tx) => {
    // Throws if an operator has resolved the run meanwhile.
    await deps.intents.saveWorkerState(tx, intent, workerState);
    // The payout of a whole contract may have been published as an external one meanwhile; then the next run ends the intent with its
    // message. The payout of a milestone is not published while an intent on it is open.
    const { status, releaseMode } = await deps.contracts.lock(tx, escrowId);
    const isPublished = releaseMode === 'order' && status === 'SETTLED';
    if (!isPublished) await publishReply(deps, tx, intent, reply);
    return !isPublished;
  });
  if (!isReported) return { retryInMs: 0, workerState };
  deps.log.warn({ intentId: intent.id, escrowId, orderId, reason }, 'settlement contradicted');
  return { retryInMs: contradictedRetryMs, workerState };
}
