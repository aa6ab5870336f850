import { formatMoney, formatUnits } from '@holdfast/kernel/money';
import type { Contract } from './contract.js';
import type { ContractState } from './contract-state.js';
import { isAnyPaidOut, isResolvedByOthers, isSettled, planSettlement, payoutSubjectOf, type Settlement } from './plan.js';
import type { SettlementStep } from './steps.js';

type Terms = Pick<Contract, 'type' | 'amount' | 'milestones'>;
type Outcome = 'succeeded' | 'failed';

/** Why the contract's state speaks against this outcome of a funding; undefined if it does not. */
export function objectionToFunding(outcome: Outcome, terms: Terms, state: ContractState): string | undefined {
  // A stranger can pay anything into a contract, so only the whole amount is a funding.
  const isFunded = isAnyPaidOut(state) || state.balanceUnits >= terms.amount.units;
  if (isFunded === (outcome === 'succeeded')) return undefined;
  return isFunded
    ? `${holding(terms, state)}, so the funding can only be resolved as succeeded, with the hash of the transaction that paid`
    : `${holding(terms, state)}; a success needs the whole amount in the contract`;
}

export type SettlementFacts = {
  readonly settlement: Settlement;
  /** The steps of the run that have landed. */
  readonly landed: readonly SettlementStep[];
  /** Whether a transaction of the run may have landed without this platform knowing it. */
  readonly hasForgotten: boolean;
};

/** Why the contract's state speaks against this outcome of a settlement; undefined if it does not. */
export function objectionToSettlement(
  outcome: Outcome,
  terms: Terms,
  state: ContractState,
  facts: SettlementFacts,
): string | undefined {
  const { settlement } = facts;
  const texts = textsOf[payoutSubjectOf(settlement)];
  if (outcome === 'succeeded') {
    return isSettled(terms, state, settlement) ? undefined : `${holding(terms, state)}; a success needs ${texts.settled}`;
  }
  if (isAnyPaidOut(state, settlement)) {
    return isPaidInAnotherWay(terms, state, facts)
      ? undefined
      : `${texts.paid}, so it can only be resolved as succeeded, with the hash of the transaction that paid`;
  }
  if (state.balanceUnits >= settlement.sellerUnits + settlement.buyerUnits) return undefined;
  return `${holding(terms, state)} and has not paid out; a failure needs ${texts.amount} in the contract`;
}

const textsOf = {
  contract: {
    paid: 'the contract has paid out',
    settled: 'a contract that has paid out everything',
    amount: 'the whole amount',
  },
  milestone: {
    paid: 'the milestone is paid out',
    settled: 'a milestone that is paid out',
    amount: 'the amount of the milestone',
  },
} as const;

/** The payout was made outside this platform. After the failure it is published as such, and booked as it was paid. */
function isPaidInAnotherWay(terms: Terms, state: ContractState, { settlement, landed, hasForgotten }: SettlementFacts): boolean {
  if (hasForgotten) return false;
  const plan = planSettlement(terms, settlement, state);
  return isResolvedByOthers(terms, state, landed, settlement) || (plan.status === 'impossible' && plan.isContradiction === true);
}

function holding({ amount }: Terms, state: ContractState): string {
  if (isAnyPaidOut(state) && state.balanceUnits === 0n) return 'the contract has paid out';
  return `the contract holds ${formatUnits(state.balanceUnits)} of ${formatMoney(amount)} ${amount.currency}`;
}
