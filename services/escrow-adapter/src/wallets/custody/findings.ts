import type { HistoryEntry, LedgerHistory, LedgerOperation } from '../network/ledger-history.js';
import { withMerged } from '../network/horizon-history.js';
import { namedAddresses } from '../network/addresses.js';
import { depositsOf, legsOf, unknownDepositsOf, type Deposit, type Leg, type PlaceOf, type UnknownDeposit } from './legs.js';
import { quarantinedOf, type QuarantinedRecord, type RejectedEntry } from './quarantine.js';
import type { LedgerTransaction } from './transactions.js';

/** A transaction of the network's history with its effect on our custody. */
export type WatchedTransaction = {
  readonly hash: string;
  readonly legs: readonly Leg[];
  readonly deposits: readonly Deposit[];
  readonly unknownDeposits: readonly UnknownDeposit[];
};

/** What a part of the history means for us. */
export type Findings = {
  readonly transactions: readonly WatchedTransaction[];
  readonly quarantined: readonly QuarantinedRecord[];
  /** Records that could not be understood and name nobody of ours. */
  readonly skipped: number;
};

type FindingsDeps = {
  readonly history: Pick<LedgerHistory, 'mergedUnits'>;
  readonly store: {
    readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
    readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  };
};

export async function findingsOf(deps: FindingsDeps, transactions: readonly LedgerTransaction[]): Promise<Findings> {
  const placeOf = await deps.store.placesOf(addressesOf(transactions.flatMap(({ entries }) => entries)));
  const read = await Promise.all(
    transactions.map(async ({ hash, entries }) => ({ hash, entries: await withMergedAmounts(deps, entries, placeOf) })),
  );
  const rejected = read.flatMap(({ entries }) => entries).filter((entry) => 'rejected' in entry);
  const quarantined = rejected.map((entry) => quarantinedOf(entry, placeOf));
  return {
    transactions: await watchedTransactions(deps, read, placeOf),
    quarantined: quarantined.filter((record) => record !== undefined),
    skipped: rejected.filter((entry, index) => quarantined[index] === undefined && !entry.rejected.isKnownType).length,
  };
}

function addressesOf(entries: readonly HistoryEntry[]): readonly string[] {
  return [...new Set(entries.flatMap((entry) => ('operation' in entry ? partiesOf(entry.operation) : namedIn(entry))))];
}

function partiesOf({ transfers, fee, merge, claimable }: LedgerOperation): readonly string[] {
  return [
    fee.address,
    ...transfers.flatMap(({ from, to }) => [from, to]),
    ...(merge === undefined ? [] : [merge.from, merge.into]),
    ...(claimable === undefined ? [] : [claimable.from, ...claimable.claimants]),
  ];
}

function namedIn({ rejected }: RejectedEntry): readonly string[] {
  return namedAddresses(rejected.record);
}

/** What a merge into an account of ours has paid costs a call, and a stranger's merge none. */
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
      if (placeOf(merge.into) === undefined) return entry;
      const units = await history.mergedUnits(operation.id, merge.into);
      if (units !== undefined) return { ...place, operation: withMerged(operation, units) };
      const record = { id: operation.id, type: operation.type, transaction_hash: operation.transactionHash, ...merge };
      return { ...place, rejected: { record, reason: 'the effects of the merge have no amount', isKnownType: false } };
    }),
  );
}

async function watchedTransactions(
  { store }: FindingsDeps,
  transactions: readonly LedgerTransaction[],
  placeOf: PlaceOf,
): Promise<readonly WatchedTransaction[]> {
  const seen = transactions.flatMap(({ hash, entries }) => {
    const operations = entries.flatMap((entry) => ('operation' in entry ? [entry.operation] : []));
    if (hash === undefined || operations.length === 0) return [];
    const [legs, deposits] = [legsOf(operations, placeOf), depositsOf(operations, placeOf)];
    const unknownDeposits = unknownDepositsOf(operations, placeOf);
    return legs.length + unknownDeposits.length === 0 ? [] : [{ hash, legs, deposits, unknownDeposits }];
  });
  const arriving = seen.filter(({ deposits, unknownDeposits }) => deposits.length + unknownDeposits.length > 0);
  const own = await store.ownHashes(arriving.map(({ hash }) => hash));
  return seen.map((transaction) =>
    own.has(transaction.hash) ? { ...transaction, deposits: [], unknownDeposits: [] } : transaction,
  );
}
