export type BatcherOptions<Item, Result> = {
  /** Handles one batch. The results stand in the order of the items; a throw fails every item of the batch. */
  readonly run: (items: readonly Item[]) => Promise<readonly PromiseSettledResult<Result>[]>;
  readonly sizeMax: number;
  /** How long the oldest item may wait for company while another batch is under way; else until its batch is full. */
  readonly waitMs: number | 'until full';
  /** How long the first call of an idle batcher waits for company; without it that call goes at once. */
  readonly lingerMs?: number;
  /** For work that nobody waits for: batches that are not full begin at least this far apart, except while draining. */
  readonly spacingMs?: number;
  /** For work that costs more alone than in company; what comes alone still goes at once. */
  readonly crowd?: Crowd;
  readonly inFlightMax: number;
  /** Beyond this many waiting items a submission is refused with `overflow`. */
  readonly waitingMax: number;
  readonly overflow: () => Error;
};

/**
 * Under load batches keep apart, the further the fuller they are: each item beyond the first of a batch keeps the next one
 * back by `perItemMs`. Where items come further apart than that, batches shrink to single items and nobody waits.
 */
export type Crowd = { readonly perItemMs: number; readonly spacingMsMax: number };

/** For the commits of a saga's steps: an order is some twenty of them, one after the other. */
export const crowdOfCommits: Crowd = { perItemMs: 3, spacingMsMax: 20 };

const noCrowd: Crowd = { perItemMs: 0, spacingMsMax: 0 };

export type Batcher<Item, Result> = {
  readonly submit: (item: Item) => Promise<Result>;
  /** Hurries what waits, and resolves when nothing waits and nothing runs. */
  readonly drain: () => Promise<void>;
};

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Collects concurrent calls and handles them together. The first call of an idle batcher goes at once, unless it may linger,
 * with whatever else arrived in the same turn of the event loop; while a batch is under way the next one gathers, and is sent off beside it
 * only when it is full or has waited long enough.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const { run, sizeMax, waitMs, lingerMs = 0, spacingMs = 0, crowd = noCrowd, inFlightMax, waitingMax, overflow } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let turn: NodeJS.Immediate | undefined;
  let timer: NodeJS.Timeout | undefined;
  const whenDrained: (() => void)[] = [];
  const pace = createPace(spacingMs, crowd);

  function submit(item: Item): Promise<Result> {
    if (waiting.length >= waitingMax) return Promise.reject(overflow());
    return new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
  }

  function schedule(): void {
    if (waiting.length === 0 || inFlight >= inFlightMax) return;
    const delayMs = delayOfNext();
    if (delayMs === 0) turn ??= setImmediate(send);
    else if (delayMs !== 'until full') timer ??= setTimeout(send, delayMs);
  }

  function delayOfNext(): number | 'until full' {
    if (waiting.length >= sizeMax) return 0;
    const restMs = whenDrained.length > 0 ? 0 : pace.restMs();
    if (inFlight === 0) return whenDrained.length > 0 ? 0 : Math.max(lingerMs, restMs);
    return waitMs === 'until full' ? waitMs : Math.max(waitMs, restMs);
  }

  function send(): void {
    clearImmediate(turn);
    clearTimeout(timer);
    [turn, timer] = [undefined, undefined];
    if (waiting.length === 0 || inFlight >= inFlightMax) return;
    const batch = waiting.splice(0, sizeMax);
    inFlight += 1;
    pace.begin(batch.length);
    settleAll(run, batch).then(finished, finished);
    schedule();
  }

  function finished(): void {
    inFlight -= 1;
    schedule();
    if (inFlight > 0 || waiting.length > 0) return;
    for (const resolve of whenDrained.splice(0)) resolve();
  }

  function drain(): Promise<void> {
    if (inFlight === 0 && waiting.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      whenDrained.push(resolve);
      schedule();
    });
  }

  return { submit, drain };
}

type Pace = { readonly begin: (size: number) => void; readonly restMs: () => number };

function createPace(spacingMs: number, { perItemMs, spacingMsMax }: Crowd): Pace {
  if (spacingMs === 0 && perItemMs === 0) return { begin: () => undefined, restMs: () => 0 };
  let nextAt = Number.NEGATIVE_INFINITY;
  return {
    begin: (size) => {
      nextAt = performance.now() + Math.max(spacingMs, Math.min(spacingMsMax, perItemMs * (size - 1)));
    },
    restMs: () => Math.max(0, Math.ceil(nextAt - performance.now())),
  };
}

async function settleAll<Item, Result>(
  run: BatcherOptions<Item, Result>['run'],
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await run(batch.map(({ item }) => item));
    batch.forEach((entry, index) => settleOne(entry, results[index]));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

function settleOne<Item, Result>(entry: Waiting<Item, Result>, result: PromiseSettledResult<Result> | undefined): void {
  if (result === undefined) entry.reject(new Error('the batch gave no result for this item'));
  else if (result.status === 'fulfilled') entry.resolve(result.value);
  else entry.reject(result.reason);
}
