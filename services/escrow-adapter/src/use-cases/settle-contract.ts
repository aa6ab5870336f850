import {
  escrowRefunded,
  escrowReleased,
  escrowSettlementContradicted,
  escrowSettlementFailed,
  escrowSettlementRequested,
  type Payload,
} from '@holdfast/contracts/messages';
import { formatUnits, parseMoney } from '@holdfast/kernel/money';
import type { Contract } from '../domain/contract.js';
import type { Settlement } from '../domain/plan.js';
import { landedStep, paysOut, type SettlementStep } from '../domain/steps.js';
import type { RunResult } from '@holdfast/intents';
import { executeSettlement, type SettlementRun } from './execute-settlement.js';
import { requireDeployed } from './require-contract.js';
import {
  closeIntent,
  unreachableReason,
  inSession,
  hasUsedAllAttempts,
  publishReply,
  type IntentContext,
} from './close-intent.js';
import type { ContractChange, Deps, TransactionResult } from './ports.js';

type SettlementRequest = Payload<typeof escrowSettlementRequested>;

/** Pays a contract out as decided. It can fail until the first payout has landed; from then on it is retried until it completes. */
export async function settleContract(deps: Deps, context: IntentContext): Promise<RunResult> {
  const { intent } = context;
  const request = escrowSettlementRequested.payload.parse(intent.payload);
  const contract = requireDeployed(context.contract);
  const session = deps.transactions.session(intent, context.signal);
  const run: SettlementRun = { ...context, session, settlement: toSettlement(request), landed: [], contract };
  return inSession(run, async () => {
    const earlier = await session.resume();
    run.landed.push(...earlier.flatMap(stepOf));
    if (earlier.some(({ status }) => status === 'unknown')) return retryLater(run);
    const isPastNoReturn = run.landed.some(paysOut);
    if (!isPastNoReturn && hasUsedAllAttempts(intent)) return failSettlement(deps, run, unreachableReason);
    const end = await executeSettlement(deps, run);
    if (end.status === 'completed') return closeAsSettled(deps, run, request);
    if (end.status === 'stopped' && !end.isPastNoReturn) return failSettlement(deps, run, end.reason);
    if (end.status === 'stopped' && end.isContradiction === true) return reportContradiction(deps, run, end.reason);
    if (end.status === 'stopped')
      deps.log.warn({ intentId: intent.id, escrowId: contract.escrowId, reason: end.reason }, stalledText);
    return retryLater(run);
  });
}

const stalledText = 'settlement past its point of no return is stalled';

function toSettlement({ decision, sellerAmount, buyerAmount, currency }: SettlementRequest): Settlement {
  const unitsOf = (amount: string): bigint => parseMoney(amount, currency).units;
  return { decision, sellerUnits: unitsOf(sellerAmount), buyerUnits: unitsOf(buyerAmount) };
}

function stepOf(result: TransactionResult): readonly SettlementStep[] {
  const step = result.status === 'landed' ? landedStep(result.transaction.step) : undefined;
  return step === undefined ? [] : [step];
}

function retryLater({ landed }: SettlementRun): RunResult {
  return landed.some(paysOut) ? { workerState: { isPastNoReturn: true } } : {};
}

function closeAsSettled(deps: Deps, run: SettlementRun, request: SettlementRequest): Promise<RunResult> {
  const change = (contract: Contract): ContractChange => ({ ...settleMove(contract), ...knownFrom(contract, run.landed) });
  const { escrowId, orderId, amount, currency, buyerId, sellerId, platformFee } = request;
  const ofEscrow = { escrowId, orderId, amount, currency };
  const at = deps.clock.now();
  if (request.decision === 'REFUND') {
    return closeIntent(deps, run, { declaration: escrowRefunded, payload: { ...ofEscrow, buyerId, refundedAt: at }, change });
  }
  const split = request.decision === 'SPLIT' ? { buyerId, refundAmount: request.buyerAmount } : {};
  const payload = { ...ofEscrow, ...split, sellerId, platformFee, netAmount: netOf(request), releasedAt: at };
  return closeIntent(deps, run, { declaration: escrowReleased, payload, change });
}

/** The payout may have been published as an external change meanwhile; then the contract is settled already. */
function settleMove({ status }: Contract): ContractChange {
  return status === 'SETTLED' ? {} : { move: 'settle' };
}

function netOf({ sellerAmount, platformFee, currency }: SettlementRequest): string {
  return formatUnits(parseMoney(sellerAmount, currency).units - parseMoney(platformFee, currency).units);
}

function failSettlement(deps: Deps, run: SettlementRun, reason: string): Promise<RunResult> {
  const { escrowId, orderId } = run.contract;
  return closeIntent(deps, run, {
    declaration: escrowSettlementFailed,
    payload: { escrowId, orderId, reason, isDisputed: hasDisputed(run.landed) },
    change: (contract) => knownFrom(contract, run.landed),
  });
}

function hasDisputed(landed: readonly SettlementStep[]): boolean {
  return landed.some(({ does }) => does === 'dispute');
}

const contradictedRetryMs = 86_400_000;

/**
 * Publishes the contradiction, from which orders stops the run and alerts an operator. The intent stays open, because it is past its
 * point of no return. It is checked again once a day, and when its command is resent; a repeat publishes the same message.
 */
async function reportContradiction(deps: Deps, { intent, contract }: SettlementRun, reason: string): Promise<RunResult> {
  const { escrowId, orderId } = contract;
  const reply = { declaration: escrowSettlementContradicted, payload: { escrowId, orderId, reason }, contract };
  await deps.inTransaction((tx) => publishReply(deps, tx, intent, reply));
  deps.log.warn({ intentId: intent.id, escrowId, orderId, reason }, 'settlement contradicted');
  return { retryInMs: contradictedRetryMs, workerState: { isPastNoReturn: true } };
}

/** Records the effects of our own steps, so that they are not published as external changes later. */
function knownFrom({ milestonesKnown, isDisputeKnown }: Contract, landed: readonly SettlementStep[]): ContractChange {
  const completed = landed.flatMap((step) => (step.does === 'complete' ? [step.index] : []));
  return {
    milestonesKnown: [...new Set([...milestonesKnown, ...completed])],
    isDisputeKnown: isDisputeKnown || hasDisputed(landed),
  };
}
