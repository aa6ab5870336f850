import { randomBytes } from 'node:crypto';
import { sealing } from './sealing.js';

const seal = sealing(randomBytes(32));

const secret = Buffer.from('a secret 💶');

describe('what is sealed', () => {
  it('opens where it was sealed for, and is never sealed the same way twice', () => {
    const [one, two] = [seal.close(secret, 'op_1'), seal.close(secret, 'op_1')];
    expect([seal.open(one, 'op_1'), seal.open(two, 'op_1')]).toEqual([secret, secret]);
    expect(one.equals(two)).toBe(false);
    expect(one.includes('a secret')).toBe(false);
  });

  it('opens nowhere else, with no other key, and not once it was touched', () => {
    const sealed = seal.close(secret, 'op_1');
    expect(() => seal.open(sealed, 'op_2')).toThrow();
    expect(() => sealing(randomBytes(32)).open(sealed, 'op_1')).toThrow();
    for (let index = 0; index < sealed.length; index += 1) {
      const touched = Buffer.from(sealed);
      touched[index] = (touched[index] ?? 0) ^ 1;
      expect(() => seal.open(touched, 'op_1')).toThrow();
    }
    expect(() => seal.open(sealed.subarray(0, 20), 'op_1')).toThrow();
  });
});
