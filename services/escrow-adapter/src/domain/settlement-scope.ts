import type { Contract, SettledMilestone } from './contract.js';
import type { Shares } from './distributions.js';
import { sharesOf, type Settlement } from './plan.js';

/** What a settlement pays by its request: one milestone, or what is left of the contract. */
export type RequestedSettlement = Pick<Settlement, 'decision' | 'sellerUnits' | 'buyerUnits'> & {
  readonly milestoneRef?: string | undefined;
};

type ScopedSettlement =
  | { readonly settlement: Settlement }
  /** The request does not fit what the contract has left to pay. */
  | { readonly refusal: string };

type Terms = Pick<Contract, 'releaseMode' | 'milestones' | 'milestonesSettled'>;

/**
 * The settlement that was requested, with the milestones that it pays. A milestone is paid once, and exactly its amount, so a request
 * that says anything else is refused before the first step.
 */
export function scopedSettlement(terms: Terms, { milestoneRef, ...requested }: RequestedSettlement): ScopedSettlement {
  if (terms.releaseMode === 'order') {
    return milestoneRef === undefined ? { settlement: requested } : refused('the contract is paid out as a whole');
  }
  const milestones = milestoneRef === undefined ? unsettledOf(terms) : indexesOf(terms, milestoneRef);
  if (milestones.length === 0)
    return refused(milestoneRef === undefined ? 'the contract has paid out everything' : 'the contract has no such milestone');
  if (milestones.some((index) => isSettledAt(terms, index))) return refused('the milestone is paid out already');
  const units = milestones.reduce((sum, index) => sum + (terms.milestones[index]?.units ?? 0n), 0n);
  if (!isOfAmount(requested, units)) return refused('the contract has another amount to pay out');
  return { settlement: { ...requested, milestones } };
}

/**
 * The settlement for the proof of how it ended. It may have ended already, so that its milestones are paid out by itself. Undefined if
 * the contract has no such milestone.
 */
export function provableSettlement(terms: Terms, requested: RequestedSettlement): Settlement | undefined {
  const scoped = scopedSettlement(terms, requested);
  if ('settlement' in scoped) return scoped.settlement;
  const { milestoneRef, ...settlement } = requested;
  const milestones = milestoneRef === undefined ? terms.milestones.map((_, index) => index) : indexesOf(terms, milestoneRef);
  return milestones.length === 0 ? undefined : { ...settlement, milestones };
}

function refused(reason: string): ScopedSettlement {
  return { refusal: reason };
}

/** A release pays everything to the seller, a refund everything to the buyer. */
function isOfAmount({ decision, sellerUnits, buyerUnits }: RequestedSettlement, units: bigint): boolean {
  if (decision === 'RELEASE' && buyerUnits > 0n) return false;
  if (decision === 'REFUND' && sellerUnits > 0n) return false;
  return sellerUnits + buyerUnits === units;
}

function indexesOf({ milestones }: Terms, ref: string): readonly number[] {
  const index = milestones.findIndex((milestone) => milestone.ref === ref);
  return index === -1 ? [] : [index];
}

function unsettledOf(terms: Terms): readonly number[] {
  return terms.milestones.map((_, index) => index).filter((index) => !isSettledAt(terms, index));
}

export function isSettledAt({ milestonesSettled }: Pick<Contract, 'milestonesSettled'>, index: number): boolean {
  return milestonesSettled.some((settled) => settled.index === index);
}

/** The milestones that are paid out after a settlement, each with what it came to. */
export function settledAfter(
  { milestones, milestonesSettled }: Pick<Contract, 'milestones' | 'milestonesSettled'>,
  settlement: Settlement,
): readonly SettledMilestone[] {
  const added = sharesOf({ milestones }, settlement).map(({ index, shares }) => ({ index, decision: decisionOf(shares) }));
  return [...milestonesSettled, ...added];
}

/** A split that gives everything to one side is a release or a refund. */
function decisionOf({ sellerUnits, buyerUnits }: Shares): SettledMilestone['decision'] {
  if (buyerUnits === 0n) return 'RELEASE';
  return sellerUnits === 0n ? 'REFUND' : 'SPLIT';
}
