import { canMove, type Moves } from '@holdfast/kernel/states';
import { disputeMoves, disputeStatuses } from './dispute-states.js';
import { escrowMoves, escrowStatuses } from './escrow-states.js';
import { milestoneMoves, milestoneStatuses } from './milestone-states.js';
import { orderMoves, orderStatuses } from './order-states.js';

function possible<State extends string, Move extends string>(
  moves: Moves<State, Move>,
  states: readonly State[],
): readonly string[] {
  return (Object.keys(moves) as Move[]).flatMap((move) =>
    states.filter((state) => canMove(moves, move, state)).map((state) => `${state} ${move} ${moves[move].to}`),
  );
}

describe('the allowed moves among all pairs of state and move', () => {
  it('of an order', () => {
    expect(possible(orderMoves, orderStatuses)).toEqual([
      'ORDER_CREATED reserve FUNDS_RESERVED',
      'ORDER_CREATED cancel CLOSED',
      'FUNDS_RESERVED cancel CLOSED',
      'FUNDS_RESERVED createEscrow ESCROW_CREATING',
      'ESCROW_CREATING escrowCreated ESCROW_FUNDING',
      'ESCROW_CREATING escrowNotCreated FUNDS_RESERVED',
      'FUNDS_RESERVED fund IN_PROGRESS',
      'ESCROW_FUNDING fund IN_PROGRESS',
      'FUNDS_RESERVED notFunded FUNDS_RESERVED',
      'ESCROW_FUNDING notFunded FUNDS_RESERVED',
      'IN_PROGRESS requestRelease RELEASE_REQUESTED',
      'IN_PROGRESS requestRefund REFUND_REQUESTED',
      'RELEASE_REQUESTED notSettled IN_PROGRESS',
      'REFUND_REQUESTED notSettled IN_PROGRESS',
      'IN_PROGRESS dispute DISPUTED',
      'DISPUTED resolveByRelease RELEASE_REQUESTED',
      'DISPUTED resolveByRefund REFUND_REQUESTED',
      'RELEASE_REQUESTED notResolved DISPUTED',
      'REFUND_REQUESTED notResolved DISPUTED',
      'IN_PROGRESS release RELEASED',
      'RELEASE_REQUESTED release RELEASED',
      'REFUND_REQUESTED release RELEASED',
      'DISPUTED release RELEASED',
      'IN_PROGRESS refund REFUNDED',
      'RELEASE_REQUESTED refund REFUNDED',
      'REFUND_REQUESTED refund REFUNDED',
      'DISPUTED refund REFUNDED',
      'RELEASED close CLOSED',
      'REFUNDED close CLOSED',
    ]);
  });

  it('of an escrow and a dispute', () => {
    expect(possible(escrowMoves, escrowStatuses)).toEqual([
      'CREATING create CREATED',
      'CREATED startFunding FUNDING',
      'FUNDING fund FUNDED',
      'FUNDING notFunded CREATED',
      'FUNDED dispute DISPUTED',
      'FUNDED release RELEASED',
      'DISPUTED release RELEASED',
      'FUNDED refund REFUNDED',
      'DISPUTED refund REFUNDED',
    ]);
    expect(possible(disputeMoves, disputeStatuses)).toEqual([
      'OPEN assign UNDER_REVIEW',
      'UNDER_REVIEW resolve RESOLVED',
      'OPEN settle RESOLVED',
      'UNDER_REVIEW settle RESOLVED',
    ]);
  });

  it('of a milestone', () => {
    expect(possible(milestoneMoves, milestoneStatuses)).toEqual([
      'OPEN submit SUBMITTED',
      'SUBMITTED requestChanges OPEN',
      'OPEN complete COMPLETED',
      'SUBMITTED complete COMPLETED',
      'SUBMITTED release RELEASED',
      'COMPLETED release RELEASED',
      'OPEN refund REFUNDED',
      'SUBMITTED refund REFUNDED',
      'COMPLETED refund REFUNDED',
      'OPEN dispute DISPUTED',
      'SUBMITTED dispute DISPUTED',
      'COMPLETED dispute DISPUTED',
      'OPEN paidToSeller RELEASED',
      'SUBMITTED paidToSeller RELEASED',
      'COMPLETED paidToSeller RELEASED',
      'DISPUTED paidToSeller RELEASED',
      'OPEN paidToBuyer REFUNDED',
      'SUBMITTED paidToBuyer REFUNDED',
      'COMPLETED paidToBuyer REFUNDED',
      'DISPUTED paidToBuyer REFUNDED',
      'OPEN paidToBoth SPLIT',
      'SUBMITTED paidToBoth SPLIT',
      'COMPLETED paidToBoth SPLIT',
      'DISPUTED paidToBoth SPLIT',
    ]);
  });
});
