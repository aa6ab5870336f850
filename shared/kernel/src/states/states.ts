import { AppError } from '../errors/index.js';

/** The state moves of an aggregate: from which states each is allowed, and to which state it leads. */
export type Moves<State extends string, Move extends string> = Readonly<
  Record<Move, { readonly from: readonly State[]; readonly to: State }>
>;

/** The state after a move. INVALID_STATE with the current and the allowed states if the move is not allowed. */
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
