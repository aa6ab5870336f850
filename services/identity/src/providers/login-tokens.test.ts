import { loginTokens } from './login-tokens.js';

const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer];
const at = '2026-01-31T12:00:00.000000Z';
const claims = { userId: 'usr_1', expiresAt: '2026-01-31T13:00:00.000000Z' } as const;

describe('loginTokens', () => {
  it('sign with the first key and verify with each of them, until it is removed', () => {
    const token = loginTokens([first]).sign(claims, at);
    const added = loginTokens([first, second]);
    const rotated = loginTokens([second, first]);
    const newer = rotated.sign(claims, at);
    for (const tokens of [added, rotated]) {
      expect([tokens.verify(token), tokens.verify(newer)]).toEqual([claims, claims]);
    }
    const removed = loginTokens([third, second]);
    expect([removed.verify(token), removed.verify(newer)]).toEqual([undefined, claims]);
  });

  it('are the same on every replica', () => {
    expect(loginTokens([first, second]).sign(claims, at)).toBe(loginTokens([first, third]).sign(claims, at));
  });
});
