import { Asset, Keypair, Networks, StrKey, xdr } from '@stellar/stellar-sdk';
import { assetNames, balanceChangesIn } from './balance-changes.js';
import * as entries from './testing/entries.js';

const issuer = Keypair.random().publicKey();
const [wallet, other] = [Keypair.random().publicKey(), Keypair.random().publicKey()];
const contract = StrKey.encodeContract(Buffer.alloc(32, 2));
const usdc = new Asset('USDC', issuer);
const falseUsdc = new Asset('USDC', other);
const usdcToken = usdc.contractId(Networks.TESTNET);
const names = assetNames(Networks.TESTNET, issuer);

const none = { balances: [], claimable: [] };
const {
  accountEntry,
  balanceEntry,
  changesV3,
  changesV4,
  claimableEntry,
  created,
  lineEntry,
  removedAccount,
  restored,
  updated,
} = entries;

const changesIn = (...operations: readonly (readonly xdr.LedgerEntryChange[])[]) =>
  balanceChangesIn(xdr.TransactionMeta.fromXDR(changesV4(...operations).toXDR()), names);

const raised = updated(lineEntry(wallet, usdc, 5n), lineEntry(wallet, usdc, 105n));

describe('the balance changes of a landed transaction', () => {
  it.each([
    ['from protocol 23 on', changesV4],
    ['before protocol 23', changesV3],
  ])('are in the metadata of networks %s, operation by operation', (_, metaOf) => {
    const meta = metaOf([], [...raised, ...updated(accountEntry(other, 30n), accountEntry(other, 10n))]);
    expect(balanceChangesIn(xdr.TransactionMeta.fromXDR(meta.toXDR()), names)).toEqual([
      none,
      {
        balances: [
          { address: wallet, asset: 'USDC', units: 100n },
          { address: other, asset: 'XLM', units: -20n },
        ],
        claimable: [],
      },
    ]);
  });

  it('of an account that is made or removed are all that it has', () => {
    const merged = [
      ...removedAccount(other, accountEntry(other, 70n)),
      ...updated(accountEntry(wallet, 1n), accountEntry(wallet, 71n)),
    ];
    expect(changesIn(created(accountEntry(wallet, 50n)), merged).map(({ balances }) => balances)).toEqual([
      [{ address: wallet, asset: 'XLM', units: 50n }],
      [
        { address: other, asset: 'XLM', units: -70n },
        { address: wallet, asset: 'XLM', units: 70n },
      ],
    ]);
  });

  it('are summed where an operation changes an entry several times', () => {
    const again = updated(lineEntry(wallet, usdc, 105n), lineEntry(wallet, usdc, 95n));
    expect(changesIn([...raised, ...again])).toEqual([
      { balances: [{ address: wallet, asset: 'USDC', units: 90n }], claimable: [] },
    ]);
  });

  it('of a contract are in the contract of the token; restoring it changes nothing', () => {
    const [before, after] = [balanceEntry(usdcToken, contract, 3n), balanceEntry(usdcToken, contract, 8n)];
    const change = { balances: [{ address: contract, asset: 'USDC', units: 5n }], claimable: [] };
    expect(changesIn(updated(before, after))).toEqual([change]);
    expect(changesIn(restored(before))).toEqual([none]);
    expect(changesIn([...restored(before), ...updated(before, after)])).toEqual([change]);
  });

  it('do not include other assets, not even one of the same name', () => {
    const foreign = updated(lineEntry(wallet, falseUsdc, 0n), lineEntry(wallet, falseUsdc, 9n));
    const foreignToken = created(balanceEntry(falseUsdc.contractId(Networks.TESTNET), contract, 9n));
    expect(changesIn(foreign, foreignToken)).toEqual([none, none]);
  });

  it('do not include an entry that was touched and holds the same', () => {
    expect(changesIn(updated(accountEntry(wallet, 5n), accountEntry(wallet, 5n)))).toEqual([none]);
  });

  it('name every claimant of a claimable balance', () => {
    expect(
      changesIn(created(claimableEntry([wallet, other], usdc, 4n)), created(claimableEntry([wallet], falseUsdc, 4n))),
    ).toEqual([
      {
        balances: [],
        claimable: [wallet, other].map((address) => ({ address, asset: 'USDC', units: 4n })),
      },
      none,
    ]);
  });

  it('are none in metadata of another version', () => {
    expect(balanceChangesIn(new xdr.TransactionMeta(0, []), names)).toEqual([]);
  });
});
