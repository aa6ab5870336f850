import { Asset, StrKey, xdr } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { reservedUnitsOf, spendableUnits } from '../values/index.js';
import { entryKey } from './ledger-entries.js';
import type { AccountBalances, EntryKey, LedgerEntries } from './ledger-rpc-port.js';

/** The entries with an account's balances: the account itself, and its trustline for USDC. */
export type AccountKeys = { readonly address: string; readonly account: EntryKey; readonly trustline: EntryKey };

export function accountKeysOf(addresses: readonly string[], usdcIssuer: string): readonly AccountKeys[] {
  const usdc = new Asset('USDC', usdcIssuer).toTrustLineXDRObject();
  return addresses.map((address) => {
    const accountId = accountIdOf(address);
    return { address, account: accountKey(accountId), trustline: trustlineKey(accountId, usdc) };
  });
}

/** For each account the one entry that says what it can spend of the asset. */
export type SpendingKeys = ReadonlyMap<string, EntryKey>;

export function spendingKeysOf(addresses: readonly string[], asset: CustodyAsset, usdcIssuer: string): SpendingKeys {
  const usdc = new Asset('USDC', usdcIssuer).toTrustLineXDRObject();
  const keyOf = (id: xdr.AccountId): EntryKey => (asset === 'XLM' ? accountKey(id) : trustlineKey(id, usdc));
  return new Map(addresses.map((address) => [address, keyOf(accountIdOf(address))]));
}

/** What accounts can spend of the asset, by address. Those that have no such entry are left out. */
export function spendableIn({ entries }: Pick<LedgerEntries, 'entries'>, keys: SpendingKeys): ReadonlyMap<string, bigint> {
  const found = [...keys].flatMap(([address, key]) => {
    const data = entries.get(key)?.data;
    return data === undefined ? [] : [[address, spendableOf(data)] as const];
  });
  return new Map(found);
}

function spendableOf(data: xdr.LedgerEntryData): bigint {
  return data.switch().name === 'trustline' ? unitsOf(data.trustLine()) : spendableUnits(balancesOf(data.account()), 'XLM');
}

export function accountKey(accountId: xdr.AccountId): EntryKey {
  return entryKey(xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId })));
}

function trustlineKey(accountId: xdr.AccountId, asset: xdr.TrustLineAsset): EntryKey {
  return entryKey(xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset })));
}

export function accountIdOf(address: string): xdr.AccountId {
  return xdr.PublicKey.publicKeyTypeEd25519(StrKey.decodeEd25519PublicKey(address));
}

/** The balances of accounts by address. Those that the network does not have are left out. */
export function balancesIn(
  { entries }: Pick<LedgerEntries, 'entries'>,
  keys: readonly AccountKeys[],
): ReadonlyMap<string, AccountBalances> {
  const found = keys.flatMap(({ address, account, trustline }) => {
    const entry = entries.get(account)?.data.account();
    return entry === undefined ? [] : [[address, balancesOf(entry, entries.get(trustline)?.data.trustLine())] as const];
  });
  return new Map(found);
}

function balancesOf(account: xdr.AccountEntry, line?: xdr.TrustLineEntry): AccountBalances {
  return {
    balances: { XLM: account.balance().toBigInt(), ...(line === undefined ? {} : { USDC: unitsOf(line) }) },
    reservedUnits: reservedUnitsOf({ subentries: account.numSubEntries(), ...sponsorshipsOf(account) }),
  };
}

function unitsOf(line: xdr.TrustLineEntry): bigint {
  return line.balance().toBigInt();
}

/** Accounts that have never had to do with sponsorships do not have the extension. */
function sponsorshipsOf(account: xdr.AccountEntry): { readonly sponsoring: number; readonly sponsored: number } {
  const none = { sponsoring: 0, sponsored: 0 };
  if (account.ext().switch() !== 1) return none;
  const first = account.ext().v1().ext();
  if (first.switch() !== 2) return none;
  return { sponsoring: first.v2().numSponsoring(), sponsored: first.v2().numSponsored() };
}
