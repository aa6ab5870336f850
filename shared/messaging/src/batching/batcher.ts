import { outsideTraces } from '@holdfast/observability';

export type BatcherOptions<Item, Result> = {
  /** Handles one batch and returns the results in the order of the items. An error fails every item of the batch. */
  readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
  readonly sizeMax: number;
  /** Maximum delay of the oldest item while fewer than `inFlightMax` batches are in flight, but not none. */
  readonly batchDelayMs: number;
  /** Minimum time between the starts of batches that are not full, except while draining. For work that no caller waits for. */
  readonly batchSpacingMs?: number;
  readonly inFlightMax: number;
  /** With this many waiting items, `submit` rejects with `overflow`. */
  readonly waitingMax: number;
  readonly overflow: () => Error;
};

export type Batcher<Item, Result> = {
  readonly submit: (item: Item) => Promise<Result>;
  /** Sends waiting items without the spacing, and resolves when no item waits or is in flight. */
  readonly drain: () => Promise<void>;
};

type PendingItem<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Handles concurrent calls in batches. An idle batcher sends the calls of one turn of the event loop at once. While a batch is in
 * flight, calls are collected for the next one, which is sent when the first is done, when it is full, or after its delay. A batch
 * runs outside of the spans of its callers.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, sizeMax, batchDelayMs, batchSpacingMs = 0, inFlightMax, waitingMax, overflow } = options;
  const pending: PendingItem<Item, Result>[] = [];
  let inFlight = 0;
  let immediate: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const whenDrained: (() => void)[] = [];
  let startedAt = Number.NEGATIVE_INFINITY;

  function submit(item: Item): Promise<Result> {
    if (pending.length >= waitingMax) return Promise.reject(overflow());
    return new Promise((resolve, reject) => {
      pending.push({ item, resolve, reject });
      schedule();
    });
  }

  function schedule(): void {
    if (pending.length === 0 || inFlight >= inFlightMax) return;
    const delayMs = delayOfNext();
    if (delayMs === 0) immediate ??= setImmediate(send);
    else timer ??= setTimeout(send, delayMs);
  }

  function delayOfNext(): number {
    if (pending.length >= sizeMax) return 0;
    const spacingLeftMs = whenDrained.length > 0 ? 0 : Math.max(0, Math.ceil(startedAt + batchSpacingMs - performance.now()));
    return inFlight === 0 ? spacingLeftMs : Math.max(batchDelayMs, spacingLeftMs);
  }

  function send(): void {
    clearImmediate(immediate);
    clearTimeout(timer);
    [immediate, timer] = [undefined, undefined];
    if (pending.length === 0 || inFlight >= inFlightMax) return;
    const batch = pending.splice(0, sizeMax);
    inFlight += 1;
    startedAt = performance.now();
    outsideTraces(() => settleAll(run, batch)).then(finished, finished);
    schedule();
  }

  function finished(): void {
    inFlight -= 1;
    schedule();
    if (inFlight > 0 || pending.length > 0) return;
    for (const resolve of whenDrained.splice(0)) resolve();
  }

  function drain(): Promise<void> {
    if (inFlight === 0 && pending.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      whenDrained.push(resolve);
      schedule();
    });
  }

  return { submit, drain };
}

async function settleAll<Item, Result>(
  run: BatcherOptions<Item, Result>['run'],
  batch: readonly PendingItem<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    batch.forEach((entry, index) => settleOne(entry, results[index]));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function settleOne<Item, Result>(entry: PendingItem<Item, Result>, result: PromiseSettledResult<Result> | undefined): void {
  if (result === undefined) entry.reject(new Error('the batch gave no result for this item'));
  else if (result.status === 'fulfilled') entry.resolve(result.value);
  else entry.reject(result.reason);
}
