import { createBatcher } from '@holdfast/shared/batching';
import { AppError } from '@holdfast/shared/errors';
import { usersOf } from '../domain/instructions.js';
import type { Posted, Posting } from '../use-cases/ports.js';
import { postBatch, type PostingDeps } from './post-batch.js';

export type Poster = {
  readonly post: (posting: Posting) => Promise<Posted>;
  readonly drain: () => Promise<void>;
};

export type PosterDeps = PostingDeps & {
  /** Lanes commit side by side: one is decided here while Postgres writes another. */
  readonly lanes: number;
  readonly batchSizes: { readonly observe: (postings: number) => void };
};

/** Postings that share a commit. */
const batchSizeMax = 256;
/** All lanes are used from a full batch on, until as little as this is under way. */
const calmMax = 64;
/** In a lane a second batch is sent off once it is full: it waits for the first one's locks while that one is flushed to disk. */
const batchesInFlightMax = 2;
/** Beyond this the service is slower than its callers, and says so. */
const postingsWaitingMax = 10_000;

/**
 * Concurrent postings are collected and committed together: one round of locks, one write, one flush for all of them. Each
 * user belongs to one lane, so that batches under way at the same time hardly ever wait for each other's locks. While little is
 * under way one lane does it all: two halves of a batch cost as much as two batches.
 */
export function createPoster({ lanes, batchSizes, ...deps }: PosterDeps): Poster {
  let underWay = 0;
  let isBusy = false;

  function leave(postings: number): void {
    underWay -= postings;
    if (underWay < calmMax) isBusy = false;
  }

  async function run(postings: readonly Posting[]): Promise<readonly PromiseSettledResult<Posted>[]> {
    batchSizes.observe(postings.length);
    try {
      return await postBatch(deps, postings);
    } finally {
      leave(postings.length);
    }
  }

  function overflow(): AppError {
    leave(1);
    return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
  }

  const batchers = Array.from({ length: lanes }, () =>
    createBatcher<Posting, Posted>({
      run,
      sizeMax: batchSizeMax,
      waitMs: 'until full',
      inFlightMax: batchesInFlightMax,
      waitingMax: postingsWaitingMax,
      overflow,
    }),
  );

  // Not an async function: a promise more for every posting is felt here.
  function post(posting: Posting): Promise<Posted> {
    const batcher = batchers[isBusy ? laneOf(posting, lanes) : 0];
    if (batcher === undefined) return Promise.reject(new RangeError('there is no such lane'));
    underWay += 1;
    if (underWay > batchSizeMax) isBusy = true;
    return batcher.submit(posting);
  }

  return {
    post,
    drain: async () => {
      await Promise.all(batchers.map((batcher) => batcher.drain()));
    },
  };
}

/** Ids made one after the other end differently, so their last characters spread users evenly. */
function laneOf({ instruction }: Posting, lanes: number): number {
  const [userId = ''] = usersOf(instruction);
  let sum = 0;
  for (let index = userId.length - 4; index < userId.length; index += 1) sum = (sum * 31 + userId.charCodeAt(index)) >>> 0;
  return sum % lanes;
}
