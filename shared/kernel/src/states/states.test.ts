import { AppError } from '../errors/index.js';
import { canMove, moved, type Moves } from './index.js';

const doorStates = ['OPEN', 'SHUT', 'LOCKED'] as const;
type DoorState = (typeof doorStates)[number];

const doorMoves = {
  shut: { from: ['OPEN'], to: 'SHUT' },
  lock: { from: ['SHUT'], to: 'LOCKED' },
  open: { from: ['SHUT', 'LOCKED'], to: 'OPEN' },
} as const satisfies Moves<DoorState, string>;

describe('a table of moves', () => {
  it('allows exactly the pairs it lists', () => {
    const allowed = Object.keys(doorMoves).flatMap((move) =>
      doorStates.filter((state) => canMove(doorMoves, move as keyof typeof doorMoves, state)).map((state) => `${state} ${move}`),
    );
    expect(allowed).toEqual(['OPEN shut', 'SHUT lock', 'SHUT open', 'LOCKED open']);
  });

  it('moves to the listed state', () => {
    expect(moved(doorMoves, 'lock', 'SHUT')).toBe('LOCKED');
  });

  it('refuses any other move with INVALID_STATE and the allowed states', () => {
    const refusal = catchRefusal(() => moved(doorMoves, 'lock', 'OPEN'));
    expect(refusal.code).toBe('INVALID_STATE');
    expect(refusal.details).toEqual({ currentStatus: 'OPEN', allowedStatuses: ['SHUT'] });
  });
});

function catchRefusal(work: () => unknown): AppError {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError) return error;
  }
  throw new Error('no AppError was thrown');
}
