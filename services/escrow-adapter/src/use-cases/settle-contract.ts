import {
  escrowRefunded,
  escrowReleased,
  escrowSettlementFailed,
  escrowSettlementRequested,
  type Payload,
} from '@holdfast/shared/contracts/messages';
import { formatUnits, parseMoney } from '@holdfast/shared/money';
import type { Contract } from '../domain/contract.js';
import type { Settlement } from '../domain/plan.js';
import { landedStep, paysOut, type SettlementStep } from '../domain/steps.js';
import type { RunResult } from '../lanes/index.js';
import { carryThrough, type SettlementRun } from './carry-through.js';
import { demandDeployed } from './demand-contract.js';
import { endIntent, givenUpReason, inSession, isTimeToCallOff, type Work } from './endings.js';
import type { ContractChange, Deps, TransactionResult } from './ports.js';

type Ask = Payload<typeof escrowSettlementRequested>;

/** Pays a contract out as decided. Until the first payout has landed it can be called off; from then on it goes forward only. */
export async function settleContract(deps: Deps, work: Work): Promise<RunResult> {
  const { intent } = work;
  const ask = escrowSettlementRequested.payload.parse(intent.ask);
  const contract = demandDeployed(work.contract);
  const session = deps.transactions.session(intent, work.signal);
  const run: SettlementRun = { ...work, session, wanted: toSettlement(ask), landed: [], contract };
  return inSession(run, async () => {
    const earlier = await session.resume();
    run.landed.push(...earlier.flatMap(stepOf));
    if (earlier.some(({ outcome }) => outcome === 'unknown')) return later(run);
    const isBound = run.landed.some(paysOut);
    if (!isBound && isTimeToCallOff(intent)) return callOff(deps, run, givenUpReason);
    const end = await carryThrough(deps, run);
    if (end.came === 'to an end') return settled(deps, run, ask);
    if (end.came === 'to a stop' && !end.isBound) return callOff(deps, run, end.reason);
    if (end.came === 'to a stop') deps.log.warn({ intentId: intent.id, escrowId: contract.escrowId, reason: end.reason }, stuck);
    return later(run);
  });
}

const stuck = 'a settlement past its point of no return cannot go on now';

function toSettlement({ decision, sellerAmount, buyerAmount, currency }: Ask): Settlement {
  const unitsOf = (amount: string): bigint => parseMoney(amount, currency).units;
  return { decision, sellerUnits: unitsOf(sellerAmount), buyerUnits: unitsOf(buyerAmount) };
}

function stepOf(result: TransactionResult): readonly SettlementStep[] {
  const step = result.outcome === 'landed' ? landedStep(result.transaction.step) : undefined;
  return step === undefined ? [] : [step];
}

function later({ landed }: SettlementRun): RunResult {
  return landed.some(paysOut) ? { memo: { isPastNoReturn: true } } : {};
}

function settled(deps: Deps, run: SettlementRun, ask: Ask): Promise<RunResult> {
  const change = (contract: Contract): ContractChange => ({ ...settling(contract), ...knownFrom(contract, run.landed) });
  const { escrowId, orderId, amount, currency, buyerId, sellerId, platformFee } = ask;
  const ofEscrow = { escrowId, orderId, amount, currency };
  const at = deps.clock.now();
  if (ask.decision === 'REFUND') {
    return endIntent(deps, run, { declaration: escrowRefunded, payload: { ...ofEscrow, buyerId, refundedAt: at }, change });
  }
  const split = ask.decision === 'SPLIT' ? { buyerId, refundAmount: ask.buyerAmount } : {};
  const payload = { ...ofEscrow, ...split, sellerId, platformFee, netAmount: netOf(ask), releasedAt: at };
  return endIntent(deps, run, { declaration: escrowReleased, payload, change });
}

/** Where somebody has told of the payout as news meanwhile, the contract is settled already. */
function settling({ status }: Contract): ContractChange {
  return status === 'SETTLED' ? {} : { move: 'settle' };
}

function netOf({ sellerAmount, platformFee, currency }: Ask): string {
  return formatUnits(parseMoney(sellerAmount, currency).units - parseMoney(platformFee, currency).units);
}

function callOff(deps: Deps, run: SettlementRun, reason: string): Promise<RunResult> {
  const { escrowId, orderId } = run.contract;
  return endIntent(deps, run, {
    declaration: escrowSettlementFailed,
    payload: { escrowId, orderId, reason },
    change: (contract) => knownFrom(contract, run.landed),
  });
}

/** What our own steps did to the contract is no news when it is seen there later. */
function knownFrom({ milestonesKnown, isDisputeKnown }: Contract, landed: readonly SettlementStep[]): ContractChange {
  const completed = landed.flatMap((step) => (step.does === 'complete' ? [step.index] : []));
  return {
    milestonesKnown: [...new Set([...milestonesKnown, ...completed])],
    isDisputeKnown: isDisputeKnown || landed.some(({ does }) => does === 'dispute'),
  };
}
