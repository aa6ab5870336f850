import { canMove } from '@holdfast/kernel/states';
import { contractMoves, contractStatuses, type ContractMove } from './contract-states.js';

it('the allowed moves of a contract among all pairs of state and move', () => {
  const moves = Object.keys(contractMoves) as ContractMove[];
  const possible = moves.flatMap((move) =>
    contractStatuses
      .filter((status) => canMove(contractMoves, move, status))
      .map((status) => `${status} ${move} ${contractMoves[move].to}`),
  );
  expect(possible).toEqual([
    'REQUESTED create CREATED',
    'REQUESTED fail FAILED',
    'CREATED fund FUNDED',
    'CREATED settle SETTLED',
    'FUNDED settle SETTLED',
  ]);
});
