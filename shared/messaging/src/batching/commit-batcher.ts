import { retry } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import { isUnavailable, OutcomeUnknown, toAppError } from '@holdfast/postgres';
import { createBatcher, type Batcher } from './batcher.js';

export type Results<Result> = readonly PromiseSettledResult<Result>[];

export type CommitBatcherOptions<Item, Result> = {
  /**
   * Commits the items in one transaction and gives one result each, in their order; an item that is refused leaves its neighbours
   * alone. Whatever it throws means that none of them was committed, or, as `OutcomeUnknown`, that nobody knows. In the latter case it is called again for
   * each item with `mayBeCommitted`: it then looks first, by the item's own cause, whether that has been committed before.
   */
  readonly commit: (items: readonly Item[], options: { readonly mayBeCommitted: boolean }) => Promise<Results<Result>>;
  /**
   * What an item locks. Items with the same key are committed one after the other, so that each sees what the one before did; a batch stands in the
   * order of its keys, so that everybody locks in the same order. Without it the items of a batch do not depend on each other's locks.
   */
  readonly keyOf?: (item: Item) => string;
  readonly sizeMax: number;
  /** Maximum delay of the oldest item before its batch is sent, while another batch is being committed. An item that comes alone is sent at once. */
  readonly batchDelayMs: number;
  readonly inFlightMax: number;
  /** Beyond this many waiting items the service is slower than its callers, and refuses. */
  readonly waitingMax: number;
};

const retryAfterSeconds = 1;
const unknownRetries = { attemptsMax: 4, firstDelayMs: 50, delayMsMax: 1_000 } as const;
const noResult: PromiseRejectedResult = { status: 'rejected', reason: new Error('the commit gave no result for this item') };

/** Concurrent items share commits: one round of locks, one write and one flush to disk for all of them. */
export function createCommitBatcher<Item, Result>(options: CommitBatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { sizeMax, batchDelayMs, inFlightMax, waitingMax } = options;
  return createBatcher<Item, Result>({
    run: (items) => commitInRounds(options, items),
    sizeMax,
    batchDelayMs: batchDelayMs,
    inFlightMax,
    waitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds }),
  });
}

/** A round holds at most one item of each key. */
async function commitInRounds<Item, Result>(
  options: CommitBatcherOptions<Item, Result>,
  items: readonly Item[],
): Promise<Results<Result>> {
  const { keyOf } = options;
  if (keyOf === undefined) return commitOrSplit(options, items);
  const results = new Map<Item, PromiseSettledResult<Result>>();
  for (let left = items; left.length > 0; left = left.filter((item) => !results.has(item))) {
    const round = [...new Map(left.toReversed().map((item) => [keyOf(item), item])).entries()]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, item]) => item);
    const settled = await commitOrSplit(options, round);
    round.forEach((item, index) => results.set(item, settled[index] ?? noResult));
  }
  return items.map((item) => results.get(item) ?? noResult);
}

/** Where a commit fails as a whole, each item is committed alone, so that a bad one fails alone. */
async function commitOrSplit<Item, Result>(
  options: CommitBatcherOptions<Item, Result>,
  items: readonly Item[],
): Promise<Results<Result>> {
  try {
    return await options.commit(items, { mayBeCommitted: false });
  } catch (error) {
    if (error instanceof OutcomeUnknown) return Promise.allSettled(items.map((item) => lookUpOrCommit(options, item)));
    if (items.length === 1 || isUnavailable(error)) throw toAppError(error);
    return Promise.allSettled(items.map((item) => commitAlone(options, item)));
  }
}

async function commitAlone<Item, Result>(options: CommitBatcherOptions<Item, Result>, item: Item): Promise<Result> {
  try {
    return valueOf(await options.commit([item], { mayBeCommitted: false }));
  } catch (error) {
    if (error instanceof OutcomeUnknown) return lookUpOrCommit(options, item);
    throw error;
  }
}

function lookUpOrCommit<Item, Result>({ commit }: CommitBatcherOptions<Item, Result>, item: Item): Promise<Result> {
  const again = async (): Promise<Result> => valueOf(await commit([item], { mayBeCommitted: true }));
  return retry(again, { ...unknownRetries, shouldRetry: (error) => error instanceof OutcomeUnknown || isUnavailable(error) });
}

function valueOf<Result>([result = noResult]: Results<Result>): Result {
  if (result.status === 'fulfilled') return result.value;
  throw result.reason;
}
