import { Address, Keypair, MuxedAccount, Account, StrKey } from '@stellar/stellar-sdk';
import { addressText } from './address-text.js';

const account = Keypair.random().publicKey();
const muxed = new MuxedAccount(new Account(account, '0'), '7').accountId();

describe('the text of an address', () => {
  it.each([
    ['an account', account],
    ['a contract', StrKey.encodeContract(Buffer.alloc(32, 'contract'))],
    ['a muxed account', muxed],
    ['a claimable balance', StrKey.encodeClaimableBalance(Buffer.alloc(33))],
    ['a pool', StrKey.encodeLiquidityPool(Buffer.alloc(32, 'pool'))],
  ])('of %s names its kind', (_, text) => {
    expect(addressText(new Address(text).toScAddress())).toBe(text);
  });
});
