import { Asset, Keypair } from '@stellar/stellar-sdk';
import { accountEntry, lineEntry } from './testing/entries.js';
import { accountKeysOf, balancesIn, spendableIn, spendingKeysOf } from './account-entries.js';

const usdcIssuer = Keypair.random().publicKey();
const usdc = new Asset('USDC', usdcIssuer);
const [one, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()] as [string, string];
const account = accountEntry(one, 40_000_000n).data();
const line = lineEntry(one, usdc, 7n).data();
const entryOf = (data: typeof account) => ({ data, liveUntilLedger: undefined });

describe('what accounts can spend', () => {
  it.each([
    // One of three reserves is for the trustline.
    ['XLM', account, 40_000_000n - 15_000_000n],
    ['USDC', line, 7n],
  ] as const)('of %s is in one entry for each; accounts without it are left out', (asset, data, units) => {
    const keys = spendingKeysOf([one, other], asset, usdcIssuer);
    const found = [...keys].flatMap(([address, key]) => (address === one ? [[key, entryOf(data)] as const] : []));
    expect([...keys.keys()]).toEqual([one, other]);
    expect(spendableIn({ entries: new Map(found) }, keys)).toEqual(new Map([[one, units]]));
  });

  it('is read by the keys of the account and of its trustline', () => {
    const [ofAccount] = accountKeysOf([one], usdcIssuer);
    const keyOf = (asset: 'USDC' | 'XLM') => spendingKeysOf([one], asset, usdcIssuer).get(one);
    expect(keyOf('XLM')).toBe(ofAccount?.account);
    expect(keyOf('USDC')).toBe(ofAccount?.trustline);
  });
});

describe('the balances of accounts', () => {
  it('are in the account and in its trustline; accounts that the network does not have are left out', () => {
    const [first, second] = accountKeysOf([one, other], usdcIssuer) as [KeysOfAccount, KeysOfAccount];
    const entries = new Map([
      [first.account, entryOf(account)],
      [first.trustline, entryOf(line)],
      [second.trustline, entryOf(line)],
    ]);
    const balances = { XLM: 40_000_000n, USDC: 7n };
    expect(balancesIn({ entries }, [first, second])).toEqual(new Map([[one, { balances, reservedUnits: 15_000_000n }]]));
  });

  it('have no USDC without a trustline', () => {
    const [keys] = accountKeysOf([one], usdcIssuer) as [KeysOfAccount];
    const read = balancesIn({ entries: new Map([[keys.account, entryOf(account)]]) }, [keys]);
    expect(read.get(one)?.balances).toEqual({ XLM: 40_000_000n });
  });
});

type KeysOfAccount = ReturnType<typeof accountKeysOf>[number];
