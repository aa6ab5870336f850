import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { accountAddress, contractAddress } from './shapes.js';

describe('the shapes of addresses', () => {
  it('take valid ones of their kind only', () => {
    const account = Keypair.random();
    const address = account.publicKey();
    const contract = StrKey.encodeContract(Buffer.alloc(32, 7));
    const isTaken = (shape: typeof accountAddress, text: string): boolean => shape.safeParse(text).success;
    expect([isTaken(accountAddress, address), isTaken(contractAddress, contract)]).toEqual([true, true]);
    expect([isTaken(contractAddress, address), isTaken(accountAddress, contract)]).toEqual([false, false]);
    for (const wrong of [`${address.slice(0, -1)}a`, account.secret(), '']) expect(isTaken(accountAddress, wrong)).toBe(false);
  });
});
