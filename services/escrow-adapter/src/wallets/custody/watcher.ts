import type { Log } from '@holdfast/shared/context';
import type { LedgerHistory } from '../network/ledger-history.js';
import { depositsOf, legsOf, type Deposit, type Leg, type PlaceOf } from './legs.js';
import { completeTransactions, type SeenTransaction } from './transactions.js';

/** What is about to be told of a transaction. */
export type NotedTransaction = {
  readonly hash: string;
  readonly legs: readonly Leg[];
  readonly deposits: readonly Deposit[];
};

/** How far a part of the history was read, and how far it has been read after this. */
export type CursorMove = { readonly name: string; readonly from: string; readonly to: string };

export type WatcherStore = {
  readonly cursor: (name: string) => Promise<string>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** Which of these transactions are our own. */
  readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * One commit: the cursor moves, and each transaction that was not told before is told. Returns the deposits it told of, or
   * undefined where somebody else has moved the cursor meanwhile; then nothing happened.
   */
  readonly note: (
    transactions: readonly NotedTransaction[],
    move: CursorMove | undefined,
  ) => Promise<readonly Deposit[] | undefined>;
  readonly watchedAddresses: () => Promise<readonly string[]>;
  readonly untoldHashes: () => Promise<readonly string[]>;
};

export type WatcherDeps = { readonly history: LedgerHistory; readonly store: WatcherStore; readonly log: Log };

/** One pass over the network's news. Returns the deposits that were told because of it. */
export type Look = (signal: AbortSignal) => Promise<readonly Deposit[]>;

const pagesMax = 100;
const networkCursor = 'network';

/** Reads everything that happens on the network: one question for a page of news, however many wallets there are. */
export function lookAtNetwork(deps: WatcherDeps): Look {
  return (signal) => follow(deps, { name: networkCursor, read: deps.history.all, signal });
}

/**
 * Where the network is shared with the world, its whole history is too much: each account of ours is asked for, and
 * transactions of our own that moved nothing are looked up for their fee.
 */
export function lookAtAccounts(deps: WatcherDeps): Look {
  return async (signal) => {
    const told: Deposit[] = [];
    for (const address of await deps.store.watchedAddresses()) {
      if (signal.aborted) break;
      told.push(...(await lookAtAccount(deps, address, signal)));
    }
    for (const hash of await deps.store.untoldHashes()) {
      if (signal.aborted) break;
      await deps.store.note(await toldOf(deps, await whole(deps, [hash])), undefined);
    }
    return told;
  };
}

/** The same for one account, now. */
export function lookAtAccount(deps: WatcherDeps, address: string, signal: AbortSignal): Promise<readonly Deposit[]> {
  const read = (cursor: string) => deps.history.ofAccount(address, cursor);
  return follow(deps, { name: `account ${address}`, read, isPartial: true, signal });
}

type Following = {
  readonly name: string;
  readonly read: LedgerHistory['all'];
  /** The list has only some of a transaction's operations: the others must be asked for. */
  readonly isPartial?: boolean;
  readonly signal: AbortSignal;
};

async function follow(deps: WatcherDeps, following: Following): Promise<readonly Deposit[]> {
  const { name, signal } = following;
  const told: Deposit[] = [];
  let from = await deps.store.cursor(name);
  for (let page = 0; page < pagesMax && !signal.aborted; page += 1) {
    const noted = await notePage(deps, following, from);
    if (noted === undefined) break;
    told.push(...noted.deposits);
    from = noted.to;
    if (noted.isLast) break;
  }
  for (const { userId, operationId, asset } of told) deps.log.info({ userId, operationId, asset }, 'deposit told');
  return told;
}

type NotedPage = { readonly deposits: readonly Deposit[]; readonly to: string; readonly isLast: boolean };

/** Undefined where there is no news, and where somebody else has noted it meanwhile. */
async function notePage(
  deps: WatcherDeps,
  { name, read, isPartial = false }: Following,
  from: string,
): Promise<NotedPage | undefined> {
  const news = await read(from);
  const seen = completeTransactions(news);
  const to = seen.at(-1)?.operations.at(-1)?.id;
  if (to === undefined) return undefined;
  const transactions = isPartial
    ? await whole(
        deps,
        seen.map(({ hash }) => hash),
      )
    : seen;
  const deposits = await deps.store.note(await toldOf(deps, transactions), { name, from, to });
  return deposits === undefined ? undefined : { deposits, to, isLast: news.isLast };
}

async function whole({ history }: WatcherDeps, hashes: readonly string[]): Promise<readonly SeenTransaction[]> {
  return Promise.all(hashes.map(async (hash) => ({ hash, operations: await history.ofTransaction(hash) })));
}

async function toldOf({ store }: WatcherDeps, transactions: readonly SeenTransaction[]): Promise<readonly NotedTransaction[]> {
  const placeOf = await store.placesOf(addressesOf(transactions));
  const seen = transactions.map(({ hash, operations }) => ({
    hash,
    legs: legsOf(operations, placeOf),
    deposits: depositsOf(operations, placeOf),
  }));
  const own = await store.ownHashes(seen.filter(({ deposits }) => deposits.length > 0).map(({ hash }) => hash));
  return seen
    .filter(({ legs }) => legs.length > 0)
    .map((transaction) => (own.has(transaction.hash) ? { ...transaction, deposits: [] } : transaction));
}

function addressesOf(transactions: readonly SeenTransaction[]): readonly string[] {
  const operations = transactions.flatMap((transaction) => transaction.operations);
  const parties = operations.flatMap(({ transfers, fee }) => [fee.address, ...transfers.flatMap(({ from, to }) => [from, to])]);
  return [...new Set(parties)];
}
