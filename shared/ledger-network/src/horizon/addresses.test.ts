import { contract, muxedWallet, stranger, wallet } from '../testing/index.js';
import { namedAddresses } from './addresses.js';

describe('the addresses that a record names', () => {
  it('are found in every field, list and text', () => {
    const record = { to: wallet, nested: [{ deep: { asset: `USDC:${stranger}` } }], [contract]: 1 };
    expect(new Set(namedAddresses(record))).toEqual(new Set([wallet, stranger, contract]));
  });

  it('include the account behind a muxed one, once', () => {
    expect(namedAddresses({ to: muxedWallet, again: wallet })).toEqual([wallet]);
  });

  it.each([[null], ['text'], [7], [{ to: `${wallet}A` }], [{ to: `M${'A'.repeat(68)}` }], [[]]])('are none in %j', (record) => {
    expect(namedAddresses(record)).toEqual([]);
  });
});
