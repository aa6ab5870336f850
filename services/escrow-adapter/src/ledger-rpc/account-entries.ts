import { Asset, Keypair, xdr, type rpc } from '@stellar/stellar-sdk';
import type { CustodyAsset } from '@holdfast/kernel/money';
import { reservedUnitsOf, spendableUnits } from '../domain/spendable.js';

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
  const entries = { subentries: account.numSubEntries(), ...sponsorshipsOf(account) };
  return spendableUnits({ balances: { XLM: account.balance().toBigInt() }, reservedUnits: reservedUnitsOf(entries) }, 'XLM');
}

/** Accounts that have never had to do with sponsorships do not have the extension. */
function sponsorshipsOf(account: xdr.AccountEntry): { readonly sponsoring: number; readonly sponsored: number } {
  const none = { sponsoring: 0, sponsored: 0 };
  if (account.ext().switch() !== 1) return none;
  const first = account.ext().v1().ext();
  if (first.switch() !== 2) return none;
  return { sponsoring: first.v2().numSponsoring(), sponsored: first.v2().numSponsored() };
}
