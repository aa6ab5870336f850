import { Account, Address, Keypair, MuxedAccount, StrKey } from '@stellar/stellar-sdk';
import { addressText, scAddress } from './addresses.js';

const account = Keypair.random().publicKey();
const all = {
  account,
  contract: StrKey.encodeContract(Buffer.alloc(32, 7)),
  'muxed account': new MuxedAccount(new Account(account, '1'), '7').accountId(),
} as const;

describe.each(Object.entries(all))('the address of a %s', (_, text) => {
  it('has the bytes that the SDK gives it, and back the same text', () => {
    expect(scAddress(text).toXDR('base64')).toBe(new Address(text).toScAddress().toXDR('base64'));
    expect(addressText(new Address(text).toScAddress())).toBe(text);
  });

  it('is refused with a wrong checksum', () => {
    const last = text.endsWith('A') ? 'B' : 'A';
    expect(() => scAddress(`${text.slice(0, -1)}${last}`)).toThrow();
  });
});
