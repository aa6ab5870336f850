import type { Context } from '@holdfast/kernel/context';
import { silentLog } from '@holdfast/testing/log';
import { newApiKey, revoke, rotate, type ApiKey } from '../domain/api-key.js';
import { keyText } from '../domain/key-text.js';
import type { Deps } from './ports.js';
import { verifyCredential } from './verify-credential.js';

const at = '2026-01-31T12:00:00.000000Z';
const id = 'key_01JB2M3N4P5Q6R7S8T9V0W1X2Y';
const ctx: Context = {
  requestId: 'test',
  caller: { type: 'system', id: 'gateway', marketplaceId: 'mkt_1', scopes: [] },
  at,
  log: silentLog,
};

const right = keyText(id, 'A'.repeat(43));
const wrong = keyText(id, 'E'.repeat(43));
const unknown = keyText('key_01JB2M3N4P5Q6R7S8T9V0W1X2Z', 'A'.repeat(43));

/** The digest of a text is the text itself, and every comparison is counted. */
function aVerifier(key: ApiKey) {
  const compared: string[] = [];
  const used: string[] = [];
  const deps: Pick<Deps, 'apiKeys' | 'secrets' | 'tokens' | 'loginTokens'> = {
    apiKeys: {
      find: async (wanted) => (wanted === key.id ? key : undefined),
      list: async () => [],
      recordUse: (keyId) => void used.push(keyId),
    },
    secrets: {
      generate: () => 'A'.repeat(43),
      hash: (text) => text,
      isEqual: (one, other) => compared.push(one) > 0 && one === other,
    },
    tokens: { sign: () => '', verify: () => undefined },
    loginTokens: { sign: () => '', verify: () => undefined },
  };
  return { compared, used, verify: (credential: string) => verifyCredential(deps as Deps, { credential }, ctx) };
}

const aKey = newApiKey({ id, marketplaceId: 'mkt_1', name: 'a key', scopes: ['read'], secretHash: right, expiresAt: null }, at);

describe('verifyCredential', () => {
  it('makes the same comparisons for a valid, a wrong and an unknown key', async () => {
    for (const credential of [right, wrong, unknown]) {
      const verifier = aVerifier(aKey);
      expect(await verifier.verify(credential)).toEqual(
        credential === right ? { verified: expect.objectContaining({ id }) } : { refused: 'unknown' },
      );
      expect(verifier.compared).toHaveLength(2);
    }
  });

  it('records a use of the key only for a valid credential', async () => {
    const verifier = aVerifier(aKey);
    for (const credential of [right, wrong, unknown, 'a.b.c', '']) await verifier.verify(credential);
    expect(verifier.used).toEqual([id]);
  });

  it('accepts the previous secret within its overlap', async () => {
    expect(await aVerifier(rotate(aKey, wrong, 60, at)).verify(right)).toMatchObject({
      verified: { expiresAt: '2026-01-31T12:01:00.000000Z' },
    });
    expect(await aVerifier(rotate(aKey, wrong, 0, at)).verify(right)).toEqual({ refused: 'unknown' });
  });

  it.each([
    ['revoked', revoke(aKey, at)],
    ['expired', { ...aKey, expiresAt: at }],
  ] as const)('gets the reason %s only with the right secret', async (reason, key) => {
    expect(await aVerifier(key).verify(right)).toEqual({ refused: reason });
    expect(await aVerifier(key).verify(wrong)).toEqual({ refused: 'unknown' });
  });
});
