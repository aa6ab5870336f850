import { Keypair, StrKey } from '@stellar/stellar-sdk';
import { addressIn } from './addresses.js';

const account = Keypair.random();

describe('an address', () => {
  it('is found in a text that is a valid address, and in no other text', () => {
    const address = account.publicKey();
    const contract = StrKey.encodeContract(Buffer.alloc(32, 7));
    expect(addressIn(address, 'account')).toBe(address);
    expect(addressIn(contract, 'contract')).toBe(contract);
    expect(addressIn(address, 'contract')).toBeUndefined();
    expect(addressIn(contract, 'account')).toBeUndefined();
    expect(addressIn(`${address.slice(0, -1)}a`, 'account')).toBeUndefined();
    expect(addressIn(account.secret(), 'account')).toBeUndefined();
    expect(addressIn('', 'account')).toBeUndefined();
  });
});
