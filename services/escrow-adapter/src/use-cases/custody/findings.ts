import type { AdoptContracts } from './adopt-contracts.js';
import type { HistoryEntry, LedgerHistory } from '@holdfast/ledger-network/horizon';
import { withMerged, type LedgerOperation } from '@holdfast/ledger-network/values';
import { claimsOf, ledgerOf } from './claims.js';
import { depositsOf, legsOf, outflowsOf, unknownDepositsOf } from './legs.js';
import type { ClaimedTransaction, Findings, PlaceOf } from './ports.js';
import { concernedBy, quarantinedOf } from './quarantine.js';
import type { LedgerTransaction } from './transactions.js';

type FindingsDeps = {
  readonly history: Pick<LedgerHistory, 'mergedUnits' | 'affectedBy'>;
  readonly adoptContracts: AdoptContracts;
  readonly store: {
    readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
    readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  };
};

export async function findingsOf(deps: FindingsDeps, transactions: readonly LedgerTransaction[]): Promise<Findings> {
  const placeOf = await placesIn(deps, transactions);
  const read = await Promise.all(
    transactions.map(async ({ hash, entries }) => ({ hash, entries: await withMergedAmounts(deps, entries, placeOf) })),
  );
  const rejected = read.flatMap(({ entries }) => entries).filter((entry) => 'rejected' in entry);
  const quarantined = await Promise.all(
    rejected.map(async (entry) => quarantinedOf(entry, await concernedBy(entry, placeOf, deps.history.affectedBy), placeOf)),
  );
  return {
    ...(await transactionsOf(deps, read, placeOf)),
    quarantined: quarantined.filter((record) => record !== undefined),
    skipped: rejected.filter((entry, index) => quarantined[index] === undefined && !entry.rejected.isKnownType).length,
  };
}

/** A contract that we have paid and do not know may have been forgotten, which is found out first. */
async function placesIn({ store, adoptContracts }: FindingsDeps, transactions: readonly LedgerTransaction[]): Promise<PlaceOf> {
  const entries = transactions.flatMap((transaction) => transaction.entries);
  const addresses = addressesOf(entries);
  const placeOf = await store.placesOf(addresses);
  const transfers = entries.flatMap((entry) => ('operation' in entry ? entry.operation.transfers : []));
  const paid = transfers.filter(({ from, to }) => placeOf(from) !== undefined && placeOf(to) === undefined).map(({ to }) => to);
  const contractIds = [...new Set(paid)].filter((to) => to.startsWith('C'));
  if (contractIds.length === 0 || !(await adoptContracts(contractIds))) return placeOf;
  return store.placesOf(addresses);
}

function addressesOf(entries: readonly HistoryEntry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => ('operation' in entry ? partiesOf(entry.operation) : entry.rejected.names)))];
}

function partiesOf({ transfers, fee, merge, claimable }: LedgerOperation): readonly string[] {
  return [
    fee.address,
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...(merge === undefined ? [] : [merge.from, merge.into]),
    ...(claimable === undefined ? [] : [claimable.from, ...claimable.claimants]),
  ];
}

/** Reading what a merge has paid costs a call if one of our accounts takes part, and none for a stranger's merge. */
function withMergedAmounts(
  { history }: FindingsDeps,
  entries: readonly HistoryEntry[],
  placeOf: PlaceOf,
): Promise<readonly HistoryEntry[]> {
  return Promise.all(
    entries.map(async (entry): Promise<HistoryEntry> => {
      if (!('operation' in entry) || entry.operation.merge === undefined) return entry;
      const { operation, ...place } = entry;
      const { merge } = entry.operation;
      if (placeOf(merge.into) === undefined && placeOf(merge.from) === undefined) return entry;
      const units = await history.mergedUnits(operation.id, merge.into);
      if (units !== undefined) return { ...place, operation: withMerged(operation, units) };
      const record = { id: operation.id, type: operation.type, transaction_hash: operation.transactionHash, ...merge };
      const reason = 'the effects of the merge have no amount';
      const names = [merge.from, merge.into];
      return { ...place, rejected: { id: operation.id, record, reason, isKnownType: false, source: undefined, names } };
    }),
  );
}

async function transactionsOf(
  { store }: FindingsDeps,
  transactions: readonly LedgerTransaction[],
  placeOf: PlaceOf,
): Promise<Pick<Findings, 'own' | 'claimed'>> {
  const seen = transactions.flatMap(({ hash, entries }) => {
    const operations = entries.flatMap((entry) => ('operation' in entry ? [entry.operation] : []));
    return hash === undefined ? [] : claimedIn(hash, operations, placeOf);
  });
  const own = await store.ownHashes(seen.map(({ hash }) => hash));
  return {
    own: seen.filter(({ hash }) => own.has(hash)).map(({ hash, ledger, legs }) => ({ hash, ledger, legs })),
    claimed: seen.filter(({ hash }) => !own.has(hash)),
  };
}

/** None where the transaction has nothing to do with us. */
function claimedIn(hash: string, operations: readonly LedgerOperation[], placeOf: PlaceOf): readonly ClaimedTransaction[] {
  const [first] = operations;
  const [legs, unknownDeposits] = [legsOf(operations, placeOf), unknownDepositsOf(operations, placeOf)];
  if (first === undefined || legs.length + unknownDeposits.length === 0) return [];
  const [claims, deposits] = [claimsOf(operations, placeOf), depositsOf(operations, placeOf)];
  return [{ hash, ledger: ledgerOf(first), legs, claims, deposits, unknownDeposits, outflows: outflowsOf(operations, placeOf) }];
}
