import { createBatcher } from '@holdfast/shared/batching';
import { AppError } from '@holdfast/shared/errors';
import type { Posted, Posting } from '../use-cases/ports.js';
import { postBatch, type PostingDeps } from './post-batch.js';

export type Poster = {
  readonly post: (posting: Posting) => Promise<Posted>;
  readonly drain: () => Promise<void>;
};

export type PosterDeps = PostingDeps & {
  /** One batch is decided here while Postgres writes another. */
  readonly batchesInFlightMax: number;
  readonly batchSizes: { readonly observe: (postings: number) => void };
};

/** Postings that share a commit. */
const batchSizeMax = 256;
/** How long a batch beside a running one waits to fill up. */
const batchWaitMs = 2;
/** Beyond this the service is slower than its callers, and says so. */
const postingsWaitingMax = 10_000;

/** Concurrent postings are collected and committed together: one round of locks, one write, one flush for all of them. */
export function createPoster({ batchesInFlightMax, batchSizes, ...deps }: PosterDeps): Poster {
  const batcher = createBatcher<Posting, Posted>({
    run: (postings) => {
      batchSizes.observe(postings.length);
      return postBatch(deps, postings);
    },
    sizeMax: batchSizeMax,
    waitMs: batchWaitMs,
    inFlightMax: batchesInFlightMax,
    waitingMax: postingsWaitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
  });
  return { post: batcher.submit, drain: batcher.drain };
}
