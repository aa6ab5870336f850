import { canMove } from '@holdfast/kernel/states';
import { topupMoves, topupStatuses, type TopupMove } from './topup-states.js';

it('lists the allowed moves of a top-up among all pairs of state and move', () => {
  const moves = Object.keys(topupMoves) as TopupMove[];
  const possible = moves.flatMap((move) =>
    topupStatuses
      .filter((status) => canMove(topupMoves, move, status))
      .map((status) => `${status} ${move} ${topupMoves[move].to}`),
  );
  expect(possible).toEqual([
    'TOPUP_CREATED awaitConfirmation TOPUP_AWAITING_USER_CONFIRMATION',
    'TOPUP_AWAITING_USER_CONFIRMATION process TOPUP_PROCESSING',
    'TOPUP_AWAITING_USER_CONFIRMATION succeed TOPUP_SUCCEEDED',
    'TOPUP_PROCESSING succeed TOPUP_SUCCEEDED',
    'TOPUP_CREATED fail TOPUP_FAILED',
    'TOPUP_AWAITING_USER_CONFIRMATION fail TOPUP_FAILED',
    'TOPUP_PROCESSING fail TOPUP_FAILED',
    'TOPUP_CREATED cancel TOPUP_CANCELED',
    'TOPUP_AWAITING_USER_CONFIRMATION cancel TOPUP_CANCELED',
  ]);
});
