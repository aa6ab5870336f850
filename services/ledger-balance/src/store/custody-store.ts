import type { Clock, Instant } from '@holdfast/kernel/context';
import type { custodyTransactionsLanded, CustodyAsset, Envelope, Payload } from '@holdfast/contracts/messages';
import type { NewId, TransferId, UserId } from '@holdfast/kernel/ids';
import { deleteInBatches, type Database, type Tx } from '@holdfast/postgres';
import { accountKey } from '../domain/accounts.js';
import { chainCurrency, custodyOwner, custodyTransfersOf, type CustodyTransfer } from '../domain/custody.js';
import type { AccountDirectory, AccountName } from './account-directory.js';
import {
  accounts,
  custodyBalances,
  noUser,
  writeCustody,
  type CustodyBalanceRow,
  type LegRow,
  type RecentLegRow,
  type TransferRow,
} from './schema.js';

type Landed = Envelope<Payload<typeof custodyTransactionsLanded>>;

type Entry = CustodyTransfer & {
  readonly id: TransferId;
  readonly cause: string;
  readonly marketplaceId: string;
  /** Undefined where the publisher has an older version. */
  readonly ledger: number | undefined;
};

export type CustodyDeps = { readonly directory: AccountDirectory; readonly clock: Clock; readonly newId: NewId };

/** Books landed transactions. They cannot be refused, because they have happened on the ledger network. */
export function custodyWriter(deps: CustodyDeps): (tx: Tx, message: Landed) => Promise<void> {
  const { directory, clock, newId } = deps;
  return async (tx, message) => {
    const entries = entriesOf(message, newId);
    if (entries.length === 0) return;
    const at = clock.now();
    const located = await directory.locate(tx, entries.flatMap(accountNamesOf), at);
    const idOf = (name: AccountName): bigint => {
      const account = located.get(accountKey(name));
      if (account === undefined) throw new Error(`the account ${accountKey(name)} was not located`);
      return account.id;
    };
    const legs = entries.flatMap((entry) => toLegRows(entry, idOf));
    const transfers = entries.map((entry) => toTransferRow(entry, at));
    tx.defer(writeCustody({ transfers, legs, balances: changesOf(legs), recent: recentOf(entries, legs) }));
  };
}

/** A transaction may move two assets. Each gets its own transfer with a unique cause, so another message cannot book it again. */
function entriesOf({ marketplaceId, payload: { transactions } }: Landed, newId: NewId): readonly Entry[] {
  return transactions.flatMap(({ transactionHash, ledger, legs }) =>
    custodyTransfersOf(legs).map((transfer) => {
      const cause = `custody:${transactionHash}#${transfer.currency}`;
      return { ...transfer, id: newId('tr'), cause, marketplaceId, ledger };
    }),
  );
}

function accountNamesOf({ currency, legs }: Entry): readonly AccountName[] {
  return legs.map(({ owner }) => ({ kind: 'chain', owner, currency }));
}

function toTransferRow({ id, cause, marketplaceId }: Entry, at: Instant): TransferRow {
  const unnamed = { orderId: null, milestoneRef: null, reference: null, referenceKey: null, description: null } as const;
  return { ...noUser, ...unnamed, id, cause, type: 'CUSTODY', marketplaceId, createdAt: at };
}

function toLegRows({ id, currency, legs }: Entry, idOf: (name: AccountName) => bigint): readonly LegRow[] {
  return legs.map(({ owner, units }) => {
    const accountId = idOf({ kind: 'chain', owner, currency });
    return { transferId: id, accountId, part: 'available', units, balanceUnits: null };
  });
}

function recentOf(entries: readonly Entry[], legs: readonly LegRow[]): readonly RecentLegRow[] {
  const ledgers = new Map(entries.map(({ id, ledger }) => [id, ledger]));
  return legs.flatMap(({ transferId, accountId, units }) => {
    const ledger = ledgers.get(transferId);
    return ledger === undefined ? [] : [{ ledger, accountId, units }];
  });
}

/** Deletes what is not needed any more to know the balances after a recent ledger. */
export async function pruneRecentLegs({ lists }: Pick<Database, 'lists'>, signal: AbortSignal): Promise<void> {
  const old = { table: 'recent_custody_legs', where: "booked_at < now() - interval '1 hour'" };
  await deleteInBatches({ lists }, old, signal);
}

/** The change of each account, sorted by account id. */
function changesOf(legs: readonly LegRow[]): readonly CustodyBalanceRow[] {
  const changes = new Map<bigint, bigint>();
  for (const { accountId, units } of legs) changes.set(accountId, (changes.get(accountId) ?? 0n) + units);
  return [...changes]
    .map(([accountId, units]) => ({ accountId, units }))
    .sort((one, other) => (one.accountId < other.accountId ? -1 : 1));
}

/** What a user's wallet holds according to the journal. */
export function walletReader({ pool }: Pick<Database, 'pool'>): (userId: UserId, asset: CustodyAsset) => Promise<bigint> {
  return async (userId, asset) => {
    const name: AccountName = { kind: 'chain', owner: custodyOwner('wallet', userId), currency: chainCurrency(asset) };
    const account = await pool.manager.findOneBy(accounts.entity, name);
    if (account === null) return 0n;
    const balance = await pool.manager.findOneBy(custodyBalances.entity, { accountId: account.id });
    return balance?.units ?? 0n;
  };
}
