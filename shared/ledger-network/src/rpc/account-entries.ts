import { Asset, Keypair, xdr, type rpc } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { reservedUnitsOf, spendableUnits } from '../values/index.js';
import type { AccountBalances } from './ledger-rpc-port.js';

/** What accounts can spend of an asset, read from one ledger. Those without the account or its trustline are left out. */
export async function readSpendable(
  server: rpc.Server,
  addresses: readonly string[],
  { asset, usdcIssuer }: { readonly asset: CustodyAsset; readonly usdcIssuer: string },
): Promise<ReadonlyMap<string, bigint>> {
  const keyOf = asset === 'XLM' ? accountKey : (address: string) => trustlineKey(address, new Asset('USDC', usdcIssuer));
  const { entries } = await server.getLedgerEntries(...addresses.map(keyOf));
  const found = new Map(entries.map(({ key, val }) => [key.toXDR('base64'), val]));
  return new Map(
    addresses.flatMap((address): readonly (readonly [string, bigint])[] => {
      const entry = found.get(keyOf(address).toXDR('base64'));
      return entry === undefined ? [] : [[address, asset === 'XLM' ? spendableOf(entry.account()) : unitsOf(entry.trustLine())]];
    }),
  );
}

/** Nodes read up to 200 entries at once. */
const accountsPerCall = 100;

/** The balances of accounts. Those that the network does not have are left out. */
export async function readBalances(
  server: rpc.Server,
  addresses: readonly string[],
  usdcIssuer: string,
): Promise<ReadonlyMap<string, AccountBalances>> {
  const read = new Map<string, AccountBalances>();
  for (let start = 0; start < addresses.length; start += accountsPerCall) {
    const chunk = addresses.slice(start, start + accountsPerCall);
    const { entries } = await server.getLedgerEntries(...chunk.flatMap((address) => accountKeysOf(address, usdcIssuer)));
    const found = new Map(entries.map(({ key, val }) => [key.toXDR('base64'), val]));
    for (const address of chunk) {
      const balances = balancesIn(found, address, usdcIssuer);
      if (balances !== undefined) read.set(address, balances);
    }
  }
  return read;
}

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

function spendableOf(account: xdr.AccountEntry): bigint {
  return spendableUnits(balancesOf(account, undefined), 'XLM');
}

/** Accounts that have never had to do with sponsorships do not have the extension. */
function sponsorshipsOf(account: xdr.AccountEntry): { readonly sponsoring: number; readonly sponsored: number } {
  const none = { sponsoring: 0, sponsored: 0 };
  if (account.ext().switch() !== 1) return none;
  const first = account.ext().v1().ext();
  if (first.switch() !== 2) return none;
  return { sponsoring: first.v2().numSponsoring(), sponsored: first.v2().numSponsored() };
}
