import { canMove } from '@holdfast/kernel/states';
import { userMoves, userStatuses } from './user-states.js';
import { mergeMetadata, newUser, patchUser, type User } from './user.js';

const at = '2026-01-31T12:00:00.000000Z';
const later = '2026-01-31T12:00:01.000000Z';

function aUser(overrides: Partial<User> = {}): User {
  const given = {
    id: 'usr_1',
    marketplaceId: 'mkt_1',
    externalUserId: 'customer-7',
    email: 'a@example.com',
    type: 'BOTH',
    metadata: { a: 1 },
  } as const;
  return { ...newUser(given, at), ...overrides };
}

describe('the status of a user', () => {
  it('allows exactly these moves', () => {
    const moves = Object.keys(userMoves) as (keyof typeof userMoves)[];
    const allowed = moves.flatMap((move) =>
      userStatuses.filter((status) => canMove(userMoves, move, status)).map((status) => `${status} ${move}`),
    );
    expect(allowed).toEqual(['ACTIVE suspend', 'SUSPENDED reinstate']);
  });

  it('is ACTIVE at first', () => {
    expect(aUser()).toMatchObject({ status: 'ACTIVE', version: 1, createdAt: at, updatedAt: at });
  });
});

describe('a patch', () => {
  it('changes the fields that it names, and increments the version', () => {
    expect(patchUser(aUser(), { status: 'SUSPENDED', email: null }, later)).toEqual(
      aUser({ status: 'SUSPENDED', email: null, version: 2, updatedAt: later }),
    );
  });

  it.each([{}, { status: 'ACTIVE' }, { email: 'a@example.com' }, { metadata: { a: 1 } }, { metadata: { b: null } }] as const)(
    'leaves the user as it is for %j',
    (patch) => {
      const user = aUser();
      expect(patchUser(user, patch, later)).toBe(user);
    },
  );

  it('never moves updatedAt back', () => {
    expect(patchUser(aUser({ updatedAt: later }), { email: null }, at)).toMatchObject({ updatedAt: later, version: 2 });
  });
});

describe('merged metadata', () => {
  it('has the keys of both, without those that the patch sets to null', () => {
    expect(mergeMetadata({ a: 1, b: { c: 2 }, d: null }, { b: { e: 3 }, a: null, f: null })).toEqual({ b: { e: 3 }, d: null });
  });
});
