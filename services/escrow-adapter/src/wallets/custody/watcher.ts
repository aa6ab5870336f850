import type { Log } from '@holdfast/kernel/context';
import type { LedgerHistory } from '../network/ledger-history.js';
import { depositsOf, legsOf, type Deposit, type Leg, type PlaceOf } from './legs.js';
import { completeTransactions, type LedgerTransaction } from './transactions.js';

/** A transaction of the network's history with its effect on our custody. */
export type WatchedTransaction = {
  readonly hash: string;
  readonly legs: readonly Leg[];
  readonly deposits: readonly Deposit[];
};

/** Moves a cursor of the history; it applies only if the cursor is still at `from`. */
export type CursorMove = { readonly name: string; readonly from: string; readonly to: string };

export type WatcherStore = {
  readonly cursor: (name: string) => Promise<string>;
  readonly placesOf: (addresses: readonly string[]) => Promise<PlaceOf>;
  /** Returns the hashes of transactions that this service created. */
  readonly ownHashes: (hashes: readonly string[]) => Promise<ReadonlySet<string>>;
  /**
   * Moves the cursor and publishes the transactions that were not published before, in one commit. Returns the published
   * deposits, or undefined where another process has moved the cursor; then nothing was written.
   */
  readonly publish: (
    transactions: readonly WatchedTransaction[],
    move: CursorMove | undefined,
  ) => Promise<readonly Deposit[] | undefined>;
  readonly watchedAddresses: () => Promise<readonly string[]>;
  readonly unpublishedHashes: () => Promise<readonly string[]>;
};

export type WatcherDeps = { readonly history: LedgerHistory; readonly store: WatcherStore; readonly log: Log };

/** Reads the new history once. Returns the deposits that it published. */
export type Poll = (signal: AbortSignal) => Promise<readonly Deposit[]>;

const pagesMax = 100;
/**
 * Transactions of one account that one poll loads. Each costs a request, and anybody can send a wallet any number of tiny payments:
 * the rest of them waits for the next polls, and other accounts do not wait for it.
 */
export const transactionsPerAccountMax = 50;
const networkCursor = 'network';

/** Reads the history of the whole network, so the number of requests does not depend on the number of wallets. */
export function pollNetwork(deps: WatcherDeps): Poll {
  return (signal) => pollSource(deps, { name: networkCursor, read: deps.history.all, signal });
}

/**
 * On a public network the history is read per account. Own transactions without a payment do not appear there, so they are looked
 * up by hash for their fee.
 */
export function pollAccounts(deps: WatcherDeps): Poll {
  return async (signal) => {
    const published: Deposit[] = [];
    for (const address of await deps.store.watchedAddresses()) {
      if (signal.aborted) break;
      published.push(...(await pollAccount(deps, address, signal)));
    }
    for (const hash of await deps.store.unpublishedHashes()) {
      if (signal.aborted) break;
      await deps.store.publish(await watchedTransactions(deps, await loadTransactions(deps, [hash])), undefined);
    }
    return published;
  };
}

/** Polls the history of one account. */
export function pollAccount(deps: WatcherDeps, address: string, signal: AbortSignal): Promise<readonly Deposit[]> {
  const read = (cursor: string) => deps.history.ofAccount(address, cursor);
  return pollSource(deps, { name: `account ${address}`, read, isPartial: true, signal });
}

type PollSource = {
  readonly name: string;
  readonly read: LedgerHistory['all'];
  /** Pages list only some operations of a transaction, so each transaction is loaded by hash, up to a number per poll. */
  readonly isPartial?: boolean;
  readonly signal: AbortSignal;
};

async function pollSource(deps: WatcherDeps, source: PollSource): Promise<readonly Deposit[]> {
  const { name, signal, isPartial = false } = source;
  const published: Deposit[] = [];
  let from = await deps.store.cursor(name);
  let transactionsLeft = isPartial ? transactionsPerAccountMax : Infinity;
  for (let page = 0; page < pagesMax && transactionsLeft > 0 && !signal.aborted; page += 1) {
    const publishedPage = await publishPage(deps, source, { from, transactionsMax: transactionsLeft });
    if (publishedPage === undefined) break;
    published.push(...publishedPage.deposits);
    from = publishedPage.to;
    transactionsLeft -= publishedPage.transactions;
    if (publishedPage.isLast) break;
  }
  for (const { userId, operationId, asset } of published) deps.log.info({ userId, operationId, asset }, 'deposit published');
  return published;
}

type PublishedPage = {
  readonly deposits: readonly Deposit[];
  readonly to: string;
  readonly transactions: number;
  readonly isLast: boolean;
};

type PageRange = { readonly from: string; readonly transactionsMax: number };

/** Undefined where there is no new transaction, or another process has published the page. */
async function publishPage(
  deps: WatcherDeps,
  { name, read, isPartial = false }: PollSource,
  { from, transactionsMax }: PageRange,
): Promise<PublishedPage | undefined> {
  const page = await read(from);
  const seen = completeTransactions(page).slice(0, transactionsMax);
  const to = seen.at(-1)?.operations.at(-1)?.id;
  if (to === undefined) return undefined;
  const transactions = isPartial
    ? await loadTransactions(
        deps,
        seen.map(({ hash }) => hash),
      )
    : seen;
  const deposits = await deps.store.publish(await watchedTransactions(deps, transactions), { name, from, to });
  return deposits === undefined ? undefined : { deposits, to, transactions: seen.length, isLast: page.isLast };
}

async function loadTransactions({ history }: WatcherDeps, hashes: readonly string[]): Promise<readonly LedgerTransaction[]> {
  return Promise.all(hashes.map(async (hash) => ({ hash, operations: await history.ofTransaction(hash) })));
}

async function watchedTransactions(
  { store }: WatcherDeps,
  transactions: readonly LedgerTransaction[],
): Promise<readonly WatchedTransaction[]> {
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

function addressesOf(transactions: readonly LedgerTransaction[]): readonly string[] {
  const operations = transactions.flatMap((transaction) => transaction.operations);
  const parties = operations.flatMap(({ transfers, fee }) => [fee.address, ...transfers.flatMap(({ from, to }) => [from, to])]);
  return [...new Set(parties)];
}
