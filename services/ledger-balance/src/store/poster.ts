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
/** How long a batch beside a running one waits to fill up. */
const batchWaitMs = 2;
/** Within a lane the next batch gathers while one is committed; a second one would only wait for its locks. */
const batchesInFlightMax = 1;
/** Beyond this the service is slower than its callers, and says so. */
const postingsWaitingMax = 10_000;

/**
 * Concurrent postings are collected and committed together: one round of locks, one write, one flush for all of them. Each
 * user belongs to one lane, so that batches under way at the same time hardly ever wait for each other's locks. While little is
 * under way one lane does it all: two halves of a batch cost as much as two batches.
 */
export function createPoster({ lanes, batchSizes, ...deps }: PosterDeps): Poster {
  const batchers = Array.from({ length: lanes }, () =>
    createBatcher<Posting, Posted>({
      run: (postings) => {
        batchSizes.observe(postings.length);
        return postBatch(deps, postings);
      },
      sizeMax: batchSizeMax,
      waitMs: batchWaitMs,
      inFlightMax: batchesInFlightMax,
      waitingMax: postingsWaitingMax,
      overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
    }),
  );
  let underWay = 0;
  let isBusy = false;
  return {
    post: async (posting) => {
      const batcher = batchers[isBusy ? laneOf(posting, lanes) : 0];
      if (batcher === undefined) throw new RangeError('there is no such lane');
      underWay += 1;
      if (underWay > batchSizeMax) isBusy = true;
      try {
        return await batcher.submit(posting);
      } finally {
        underWay -= 1;
        if (underWay < calmMax) isBusy = false;
      }
    },
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
