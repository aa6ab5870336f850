import { Asset, Keypair, xdr } from '@stellar/stellar-sdk';
import { reservedUnitsOf } from '../values/index.js';
import type { AccountBalances } from './ledger-rpc-port.js';

/** The keys of an account and its trustline for USDC. */
export function accountKeysOf(address: string, usdcIssuer: string): readonly xdr.LedgerKey[] {
  return [accountKey(address), trustlineKey(address, new Asset('USDC', usdcIssuer))];
}

/** The balances of an account in entries that were read by `accountKeysOf`; undefined where the network does not have it. */
export function balancesIn(
  entries: ReadonlyMap<string, xdr.LedgerEntryData>,
  address: string,
  usdcIssuer: string,
): AccountBalances | undefined {
  const [account, line] = accountKeysOf(address, usdcIssuer).map((key) => entries.get(key.toXDR('base64')));
  return account === undefined ? undefined : balancesOf(account.account(), line?.trustLine());
}

function balancesOf(account: xdr.AccountEntry, line: xdr.TrustLineEntry | undefined): AccountBalances {
  return {
    balances: { XLM: account.balance().toBigInt(), ...(line === undefined ? {} : { USDC: unitsOf(line) }) },
    reservedUnits: reservedUnitsOf({ subentries: account.numSubEntries(), ...sponsorshipsOf(account) }),
  };
}

function accountKey(address: string): xdr.LedgerKey {
  return xdr.LedgerKey.account(new xdr.LedgerKeyAccount({ accountId: Keypair.fromPublicKey(address).xdrAccountId() }));
}

function trustlineKey(address: string, asset: Asset): xdr.LedgerKey {
  const accountId = Keypair.fromPublicKey(address).xdrAccountId();
  return xdr.LedgerKey.trustline(new xdr.LedgerKeyTrustLine({ accountId, asset: asset.toTrustLineXDRObject() }));
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
