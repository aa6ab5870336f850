import crypto from 'node:crypto';
import { keySecrets } from './key-secrets.js';

describe('the secret of a key', () => {
  it('has 43 characters and is unique', () => {
    const secrets = Array.from({ length: 1_000 }, keySecrets.generate);
    expect(new Set(secrets).size).toBe(1_000);
    expect(secrets.filter((secret) => !/^[\w-]{43}$/.test(secret))).toEqual([]);
  });

  it('is compared in constant time, by its digest', () => {
    const compare = jest.spyOn(crypto, 'timingSafeEqual');
    const [one, other] = [keySecrets.hash('one'), keySecrets.hash('other')];
    expect([keySecrets.isEqual(one, one), keySecrets.isEqual(one, other)]).toEqual([true, false]);
    expect(compare.mock.calls.map((given) => given.map((side) => side.byteLength))).toEqual([
      [32, 32],
      [32, 32],
    ]);
    compare.mockRestore();
  });
});
