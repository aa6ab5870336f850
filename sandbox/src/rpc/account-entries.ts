import { Asset, Keypair, xdr } from '@stellar/stellar-sdk';
import type { Account } from '../domain/account.js';
import { issuedAsset, type AssetKey } from '../domain/assets.js';
import type { EntrySources, FoundEntry } from './found-entry.js';

const masterWeight = 1;
const noThresholds = Buffer.from([masterWeight, 0, 0, 0]);
const authorizedFlag = 1;

export function accountEntry(sources: EntrySources, address: string): FoundEntry | undefined {
  const account = sources.view.find('accounts', address);
  if (account === undefined) return undefined;
  const entry = new xdr.AccountEntry({
    accountId: accountIdOf(account),
    balance: int64(account.nativeUnits),
    seqNum: int64(account.sequence),
    numSubEntries: Object.keys(account.lines).length,
    inflationDest: null,
    flags: 0,
    homeDomain: '',
    thresholds: noThresholds,
    signers: [],
    ext: accountExtension(account),
  });
  return { data: xdr.LedgerEntryData.account(entry), modifiedLedger: lastLedgerOf(sources, address) };
}

/** The counts of sponsored reserves are in an extension, which the network writes where there are any. */
function accountExtension({ sponsoring = 0, sponsored = 0 }: Account): xdr.AccountEntryExt {
  if (sponsoring === 0 && sponsored === 0) return new xdr.AccountEntryExt(0);
  const counts = new xdr.AccountEntryExtensionV2({
    numSponsored: sponsored,
    numSponsoring: sponsoring,
    signerSponsoringIDs: [],
    ext: new xdr.AccountEntryExtensionV2Ext(0),
  });
  const liabilities = new xdr.Liabilities({ buying: int64(0n), selling: int64(0n) });
  const extension = new xdr.AccountEntryExtensionV1({ liabilities, ext: new xdr.AccountEntryExtensionV1Ext(2, counts) });
  return new xdr.AccountEntryExt(1, extension);
}

export function trustlineEntry(sources: EntrySources, address: string, asset: AssetKey): FoundEntry | undefined {
  const account = sources.view.find('accounts', address);
  const [line, issued] = [account?.lines[asset], issuedAsset(asset)];
  if (account === undefined || line === undefined || issued === undefined) return undefined;
  const entry = new xdr.TrustLineEntry({
    accountId: accountIdOf(account),
    asset: new Asset(issued.code, issued.issuer).toTrustLineXDRObject(),
    balance: int64(line.units),
    limit: int64(line.limitUnits),
    flags: authorizedFlag,
    ext: new xdr.TrustLineEntryExt(0),
  });
  return { data: xdr.LedgerEntryData.trustline(entry), modifiedLedger: lastLedgerOf(sources, address) };
}

/** The last ledger with a transaction or payment of the account; the first ledger for an account that exists since then. */
function lastLedgerOf({ history, view }: EntrySources, address: string): number {
  const last = { cursor: undefined, order: 'desc', limit: 1, lastLedger: view.head.sequence } as const;
  const [transaction] = history.transactionsOf(address, last);
  const [payment] = history.paymentsOf(address, last);
  return Math.max(view.oldest.sequence, transaction?.ledger ?? 0, payment?.transaction.ledger ?? 0);
}

function accountIdOf({ id }: Account): xdr.AccountId {
  return Keypair.fromPublicKey(id).xdrAccountId();
}

function int64(value: bigint): xdr.Int64 {
  return xdr.Int64.fromString(value.toString());
}
