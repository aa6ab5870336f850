import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { addressBytes, addressIn, contractAddress } from './addresses.js';

const account = Keypair.random();
const hash = Buffer.from(Array.from({ length: 32 }, (_, index) => 255 - index));

describe('an address', () => {
  it('is found in a text that is a valid address, and in no other text', () => {
    const address = account.publicKey();
    expect(addressIn(address, 'account')).toBe(address);
    expect(addressIn(address, 'contract')).toBeUndefined();
    expect(addressIn(`${address.slice(0, -1)}a`, 'account')).toBeUndefined();
    expect(addressIn(account.secret(), 'account')).toBeUndefined();
    expect(addressIn('', 'account')).toBeUndefined();
  });

  it('converts to bytes and back, whichever is cached first', () => {
    const contractId = contractAddress(hash.toString('latin1'));
    expect(contractId).toBe(StrKey.encodeContract(hash));
    expect(addressBytes(contractId).equals(hash)).toBe(true);
    expect(addressBytes(account.publicKey()).equals(account.rawPublicKey())).toBe(true);
  });
});
