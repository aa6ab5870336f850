import { Account, Address, Keypair, MuxedAccount, StrKey } from '@stellar/stellar-sdk';
import { addressText, scAddress } from './addresses.js';

const account = Keypair.random().publicKey();
const contract = StrKey.encodeContract(Buffer.alloc(32, 'contract'));

describe('an address', () => {
  it.each([
    ['an account', account],
    ['a contract', contract],
    ['a muxed account', new MuxedAccount(new Account(account, '0'), '7').accountId()],
    ['a pool', StrKey.encodeLiquidityPool(Buffer.alloc(32, 'pool'))],
  ])('of %s is what the SDK makes of it', (_, text) => {
    expect(scAddress(text).toXDR()).toEqual(new Address(text).toScAddress().toXDR());
    expect(addressText(scAddress(text))).toBe(text);
  });

  it.each([
    ['of a wrong checksum', `${contract.slice(0, -1)}${contract.endsWith('A') ? 'B' : 'A'}`],
    ['of another kind than its first letter says', `G${contract.slice(1)}`],
    ['that is too short', account.slice(0, -1)],
    ['that is empty', ''],
  ])('%s is refused', (_, text) => {
    expect(() => scAddress(text)).toThrow();
  });
});
