import { Address, Keypair, MuxedAccount, Account, StrKey } from '@stellar/stellar-sdk';
import { addressText, scAddress } from './address-text.js';

const account = Keypair.random().publicKey();
const contract = StrKey.encodeContract(Buffer.alloc(32, 'contract'));
const muxed = new MuxedAccount(new Account(account, '0'), '7').accountId();

describe('the text of an address', () => {
  it.each([
    ['an account', account],
    ['a contract', contract],
    ['a muxed account', muxed],
    ['a claimable balance', StrKey.encodeClaimableBalance(Buffer.alloc(33))],
    ['a pool', StrKey.encodeLiquidityPool(Buffer.alloc(32, 'pool'))],
  ])('of %s names its kind', (_, text) => {
    const address = new Address(text).toScAddress();
    expect(addressText(address)).toBe(text);
    expect(scAddress(text).toXDR()).toEqual(address.toXDR());
  });

  it.each([
    ['a seed', Keypair.random().secret()],
    ['a text of another length', `${account}A`],
    ['an account with another checksum', swapLast(account)],
    ['a contract with another checksum', swapLast(contract)],
    ['nothing', ''],
  ])('cannot be decoded from %s', (_, text) => {
    expect(() => scAddress(text)).toThrow();
  });
});

function swapLast(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('A') ? 'B' : 'A'}`;
}
