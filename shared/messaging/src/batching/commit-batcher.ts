import { AppError } from '@holdfast/kernel/errors';
import { isUnavailable, lookUpOrCommit, OutcomeUnknown, toAppError } from '@holdfast/postgres';
import { createBatcher, type Batcher } from './batcher.js';

export type Results<Result> = readonly PromiseSettledResult<Result>[];

export type CommitBatcherOptions<Item, Result> = {
  /**
   * Commits the items in one transaction and returns one result each, in their order. A refused item does not affect the others. An error
   * means that no item was committed. The exception is `OutcomeUnknown`: then it is called again for each item with `mayBeCommitted`. That
   * call must first look up, by the item's own cause, whether the item was committed before.
   */
  readonly commit: (items: readonly Item[], options: { readonly mayBeCommitted: boolean }) => Promise<Results<Result>>;
  /**
   * The key of the row that an item locks. Items with the same key are committed in successive transactions, so that each sees the
   * changes of the one before. A batch is sorted by key, so that all transactions lock in the same order.
   */
  readonly keyOf?: (item: Item) => string;
  readonly sizeMax: number;
  /** Maximum delay of the oldest item while another batch is being committed. Otherwise an item is sent at once. */
  readonly batchDelayMs: number;
  /** Minimum time between the starts of batches that are not full, where a caller may wait that long for fewer commits. */
  readonly batchSpacingMs?: number;
  readonly inFlightMax: number;
  /** With this many waiting items, further ones are refused with SERVICE_UNAVAILABLE. */
  readonly waitingMax: number;
};

const retryAfterSeconds = 1;
const noResult: PromiseRejectedResult = { status: 'rejected', reason: new Error('the commit gave no result for this item') };

/** Commits concurrent items in shared transactions: one statement for the locks and one flush of the write-ahead log for all. */
export function createCommitBatcher<Item, Result>(options: CommitBatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { sizeMax, batchDelayMs, batchSpacingMs = 0, inFlightMax, waitingMax } = options;
  return createBatcher<Item, Result>({
    run: (items) => commitInRounds(options, items),
    sizeMax,
    batchDelayMs,
    batchSpacingMs,
    inFlightMax,
    waitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds }),
  });
}

/**
 * A round has at most one item of each key. A failed item does not affect the later ones of its key: they may be what it waits for.
 * When the database is unavailable, the items of all rounds that are left fail with it.
 */
async function commitInRounds<Item, Result>(
  options: CommitBatcherOptions<Item, Result>,
  items: readonly Item[],
): Promise<Results<Result>> {
  const { keyOf } = options;
  if (keyOf === undefined) return commitOrSplit(options, items);
  const results = new Map<Item, PromiseSettledResult<Result>>();
  const leftItems = (): readonly Item[] => items.filter((item) => !results.has(item));
  for (let left = items; left.length > 0; left = leftItems()) {
    const round = [...new Map(left.toReversed().map((item) => [keyOf(item), item])).entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, item]) => item);
    try {
      const settled = await commitOrSplit(options, round);
      round.forEach((item, index) => results.set(item, settled[index] ?? noResult));
    } catch (reason) {
      for (const item of leftItems()) results.set(item, { status: 'rejected', reason });
    }
  }
  return items.map((item) => results.get(item) ?? noResult);
}

/** When a commit fails as a whole, each item is committed alone, so that only the bad one fails. Throws if the database is unavailable. */
async function commitOrSplit<Item, Result>(
  options: CommitBatcherOptions<Item, Result>,
  items: readonly Item[],
): Promise<Results<Result>> {
  try {
    return await options.commit(items, { mayBeCommitted: false });
  } catch (error) {
    if (error instanceof OutcomeUnknown) return Promise.allSettled(items.map((item) => commitAgain(options, item)));
    if (isUnavailable(error)) throw toAppError(error);
    if (items.length === 1) return [{ status: 'rejected', reason: error }];
    return Promise.allSettled(items.map((item) => commitAlone(options, item)));
  }
}

async function commitAlone<Item, Result>(options: CommitBatcherOptions<Item, Result>, item: Item): Promise<Result> {
  try {
    return valueOf(await options.commit([item], { mayBeCommitted: false }));
  } catch (error) {
    if (error instanceof OutcomeUnknown) return commitAgain(options, item);
    throw error;
  }
}

function commitAgain<Item, Result>({ commit }: CommitBatcherOptions<Item, Result>, item: Item): Promise<Result> {
  return lookUpOrCommit(async () => valueOf(await commit([item], { mayBeCommitted: true })));
}

function valueOf<Result>([result = noResult]: Results<Result>): Result {
  if (result.status === 'fulfilled') return result.value;
  throw result.reason;
}
