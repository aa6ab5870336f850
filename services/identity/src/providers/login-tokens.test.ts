import { accountTokens } from './account-tokens.js';

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const at = '2026-01-31T12:00:00.000000Z';
const claims = { userId: 'usr_1', expiresAt: '2026-01-31T13:00:00.000000Z' } as const;

describe('accountTokens', () => {
  it('sign with the first key and verify with each of them, until it is removed', () => {
    const token = accountTokens([first]).sign(claims, at);
    const added = accountTokens([first, second]);
    const rotated = accountTokens([second, first]);
    const newer = rotated.sign(claims, at);
    for (const tokens of [added, rotated]) {
      expect([tokens.verify(token), tokens.verify(newer)]).toEqual([claims, claims]);
    }
    const removed = accountTokens([third, second]);
    expect([removed.verify(token), removed.verify(newer)]).toEqual([undefined, claims]);
  });

  it('are the same on every replica', () => {
    expect(accountTokens([first, second]).sign(claims, at)).toBe(accountTokens([first, third]).sign(claims, at));
  });
});
