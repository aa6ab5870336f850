import { formatMoney, type Money } from '@holdfast/kernel/money';
import type { NewCase } from './case.js';

type SolvencyCase = Omit<NewCase, 'marketplaceId' | 'userId'>;

const ofSolvency = { kind: 'unexplained_difference', origin: 'adjustments', source: 'solvency', relatedId: null } as const;

/**
 * The case about money that nothing explains. What was accepted before belongs to the id, so that the same difference once more is
 * another case.
 */
export function unexplainedMoney(amount: Money, accepted: string): SolvencyCase {
  return {
    ...ofSolvency,
    amount,
    sourceId: `unexplained:${amount.currency}@${accepted}:${formatMoney(amount)}`,
    reason:
      amount.units < 0n
        ? 'The platform has less than its users own and the journal explains.'
        : 'The platform has more than its users own and the journal explains.',
  };
}

/** The case about a platform that owes more than it has. */
export function shortfall(amount: Money): SolvencyCase {
  return {
    ...ofSolvency,
    amount,
    sourceId: `shortfall:${amount.currency}:${formatMoney(amount)}`,
    reason: 'The platform owes its users more than it has.',
  };
}
