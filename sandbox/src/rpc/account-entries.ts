import { xdr } from '@stellar/stellar-sdk';
import { accountIdOf } from '../contract-calls/addresses.js';
import type { TrustLine } from '../domain/account.js';
import type { AssetKey } from '../domain/assets.js';
import { factsOf, type AccountFacts } from '../domain/entry-changes.js';
import type { ClaimableBalance } from '../domain/transfer-operations.js';
import { assetXdr, int64, trustLineAsset } from '../ledger-network/xdr-fields.js';
import type { EntrySources, FoundEntry } from './found-entry.js';

const masterWeight = 1;
const noThresholds = Buffer.from([masterWeight, 0, 0, 0]);
const authorizedFlag = 1;

export function accountEntry(sources: EntrySources, address: string): FoundEntry | undefined {
  const account = sources.view.find('accounts', address);
  if (account === undefined) return undefined;
  return { data: accountData(address)(factsOf(account)), modifiedLedger: lastLedgerOf(sources, address) };
}

/** Returns a function, because the versions of an entry differ only in the rest: its key is converted once. */
export function accountData(address: string): (facts: AccountFacts) => xdr.LedgerEntryData {
  const accountId = accountIdOf(address);
  return (facts) =>
    xdr.LedgerEntryData.account(
      new xdr.AccountEntry({
        accountId,
        balance: int64(facts.nativeUnits),
        seqNum: int64(facts.sequence),
        numSubEntries: facts.subEntries,
        inflationDest: null,
        flags: 0,
        homeDomain: '',
        thresholds: noThresholds,
        signers: [],
        ext: accountExtension(facts),
      }),
    );
}

/** The counts of sponsored reserves are in an extension, which the network writes only for accounts that have any. */
function accountExtension({ sponsoring = 0, sponsored = 0 }: AccountFacts): xdr.AccountEntryExt {
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
  const line = sources.view.find('accounts', address)?.lines[asset];
  const data = line === undefined ? undefined : trustlineData(address, asset)(line);
  return data === undefined ? undefined : { data, modifiedLedger: lastLedgerOf(sources, address) };
}

/** The function returns undefined for the native asset, which has no trustlines. */
export function trustlineData(address: string, key: AssetKey): (line: TrustLine) => xdr.LedgerEntryData | undefined {
  const [accountId, asset] = [accountIdOf(address), trustLineAsset(key)];
  if (asset === undefined) return () => undefined;
  return ({ units, limitUnits }) => {
    const [balance, limit] = [int64(units), int64(limitUnits)];
    const ext = new xdr.TrustLineEntryExt(0);
    return xdr.LedgerEntryData.trustline(
      new xdr.TrustLineEntry({ accountId, asset, balance, limit, flags: authorizedFlag, ext }),
    );
  };
}

export function claimableData({ id, asset, units, claimants }: ClaimableBalance): xdr.LedgerEntryData {
  const predicate = xdr.ClaimPredicate.claimPredicateUnconditional();
  const entry = new xdr.ClaimableBalanceEntry({
    balanceId: xdr.ClaimableBalanceId.fromXDR(id, 'hex'),
    claimants: claimants.map((address) =>
      xdr.Claimant.claimantTypeV0(new xdr.ClaimantV0({ destination: accountIdOf(address), predicate })),
    ),
    asset: assetXdr(asset),
    amount: int64(units),
    ext: new xdr.ClaimableBalanceEntryExt(0),
  });
  return xdr.LedgerEntryData.claimableBalance(entry);
}

/** The last ledger with a transaction or payment of the account; the first ledger for an account that exists since then. */
function lastLedgerOf({ history, view }: EntrySources, address: string): number {
  const last = { cursor: undefined, order: 'desc', limit: 1, lastLedger: view.head.sequence } as const;
  const [transaction] = history.transactionsOf(address, last);
  const [payment] = history.paymentsOf(address, last);
  return Math.max(view.oldest.sequence, transaction?.ledger ?? 0, payment?.transaction.ledger ?? 0);
}
