import { randomBytes } from 'node:crypto';
import { sealing } from './sealing.js';

const sealer = sealing(randomBytes(32));

const secret = Buffer.from('a secret 💶');

describe('sealing', () => {
  it('opens for the same place, with a different ciphertext each time', () => {
    const [one, two] = [sealer.seal(secret, 'op_1'), sealer.seal(secret, 'op_1')];
    expect([sealer.open(one, 'op_1'), sealer.open(two, 'op_1')]).toEqual([secret, secret]);
    expect(one.equals(two)).toBe(false);
    expect(one.includes('a secret')).toBe(false);
  });

  it('does not open for another place, with another key, or altered', () => {
    const sealed = sealer.seal(secret, 'op_1');
    expect(() => sealer.open(sealed, 'op_2')).toThrow();
    expect(() => sealing(randomBytes(32)).open(sealed, 'op_1')).toThrow();
    for (let index = 0; index < sealed.length; index += 1) {
      const altered = Buffer.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => sealer.open(altered, 'op_1')).toThrow();
    }
    expect(() => sealer.open(sealed.subarray(0, 20), 'op_1')).toThrow();
  });
});
