import { AppError } from '../errors/index.js';

/** The moves of one aggregate: from which states each may be made, and where it leads. */
export type Moves<State extends string, Move extends string> = Readonly<
  Record<Move, { readonly from: readonly State[]; readonly to: State }>
>;

/** The state after a move, or INVALID_STATE that names where the aggregate is and where it would have to be. */
export function moved<State extends string, Move extends string>(moves: Moves<State, Move>, move: Move, current: State): State {
  const { from, to } = moves[move];
  if (!from.includes(current)) {
    throw new AppError('INVALID_STATE', { currentStatus: current, allowedStatuses: from });
  }
  return to;
}

export function canMove<State extends string, Move extends string>(
  moves: Moves<State, Move>,
  move: Move,
  current: State,
): boolean {
  return moves[move].from.includes(current);
}
