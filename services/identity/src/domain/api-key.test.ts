import { isAppError } from '@holdfast/kernel/errors';
import { canMove } from '@holdfast/kernel/states';
import { apiKeyMoves, apiKeyStatuses } from './api-key-states.js';
import { earliest, secretExpiresAt, newApiKey, revoke, rotate, statusOf, type ApiKey } from './api-key.js';

const at = '2026-01-31T12:00:00.000000Z';
const later = '2026-01-31T12:01:00.000000Z';
const muchLater = '2026-02-28T12:00:00.000000Z';

function aKey(overrides: Partial<ApiKey> = {}): ApiKey {
  const given = {
    id: 'key_1',
    marketplaceId: 'mkt_1',
    name: 'a key',
    scopes: ['read'],
    secretHash: 'first',
    expiresAt: null,
  } as const;
  return { ...newApiKey(given, at), ...overrides };
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isAppError(error)) return error.code;
  }
  return 'accepted';
}

describe('the status of a key', () => {
  it('is ACTIVE, EXPIRED from expiresAt on, and REVOKED once revoked', () => {
    expect(statusOf(aKey(), muchLater)).toBe('ACTIVE');
    const ending = aKey({ expiresAt: later });
    expect([statusOf(ending, at), statusOf(ending, later)]).toEqual(['ACTIVE', 'EXPIRED']);
    expect(statusOf(revoke(ending, muchLater), at)).toBe('REVOKED');
  });

  it('allows exactly these moves', () => {
    const moves = Object.keys(apiKeyMoves) as (keyof typeof apiKeyMoves)[];
    const allowed = moves.flatMap((move) =>
      apiKeyStatuses.filter((status) => canMove(apiKeyMoves, move, status)).map((status) => `${status} ${move}`),
    );
    expect(allowed).toEqual(['ACTIVE rotate', 'ACTIVE issueToken', 'ACTIVE expire', 'ACTIVE revoke', 'EXPIRED revoke']);
  });
});

describe('a rotation', () => {
  it('leaves the previous secret valid for the overlap, and not without an overlap', () => {
    expect(rotate(aKey(), 'second', 60, at)).toMatchObject({
      secretHash: 'second',
      secretNumber: 2,
      previous: { hash: 'first', validUntil: later },
      version: 2,
    });
    expect(rotate(aKey(), 'second', 0, at).previous).toBeNull();
  });

  it('is refused for an expired or revoked key', () => {
    expect(codeOf(() => rotate(aKey({ expiresAt: at }), 'second', 0, at))).toBe('INVALID_STATE');
    expect(codeOf(() => rotate(revoke(aKey(), at), 'second', 0, at))).toBe('INVALID_STATE');
  });
});

describe('a revocation', () => {
  it('ends every secret, and a second one changes nothing', () => {
    const revoked = revoke(rotate(aKey(), 'second', 60, at), at);
    expect([secretExpiresAt(revoked, 1, at), secretExpiresAt(revoked, 2, at)]).toEqual([undefined, undefined]);
    expect(revoke(revoked, later)).toBe(revoked);
  });
});

describe('the expiry of a secret', () => {
  const rotated = rotate(aKey({ expiresAt: muchLater }), 'second', 60, at);

  it.each([
    ['the current secret expires with the key', 2, at, muchLater],
    ['the previous secret expires with its overlap', 1, at, later],
    ['the previous secret is invalid after its overlap', 1, later, undefined],
    ['an older secret is invalid', 0, at, undefined],
    ['a future secret number is invalid', 3, at, undefined],
    ['no secret is valid once the key has expired', 2, muchLater, undefined],
  ] as const)('%s', (_, secretNumber, now, end) => {
    expect(secretExpiresAt(rotated, secretNumber, now)).toBe(end);
  });

  it('is the expiry of the key where that is earlier', () => {
    expect(secretExpiresAt(rotate(aKey({ expiresAt: later }), 'second', 3_600, at), 1, at)).toBe(later);
  });

  it('is null for a key that does not expire', () => {
    expect(secretExpiresAt(aKey(), 1, at)).toBeNull();
    expect([earliest(), earliest(null, null), earliest(null, later, at)]).toEqual([null, null, at]);
  });
});
