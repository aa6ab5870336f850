import { performance } from 'node:perf_hooks';
import { createCommitBatcher } from '@holdfast/messaging/batching';
import type { Posted, Posting } from '../use-cases/ports.js';
import { withCause, type CausedPosting } from './caused-posting.js';
import { postBatch, type PostingDeps } from './post-batch.js';

export type Poster = {
  readonly post: (posting: Posting) => Promise<Posted>;
  readonly drain: () => Promise<void>;
};

export type PosterDeps = PostingDeps & {
  readonly batchSizes: { readonly observe: (postings: number) => void };
  readonly commitSeconds: { readonly observe: (seconds: number) => void };
};

const limits = { sizeMax: 256, batchDelayMs: 2, inFlightMax: 2, waitingMax: 10_000 } as const;

/** Commits concurrent postings in batches: one round of locks, one write and one flush to disk for each batch. */
export function createPoster({ batchSizes, commitSeconds, ...deps }: PosterDeps): Poster {
  const { submit, drain } = createCommitBatcher<CausedPosting, Posted>({
    ...limits,
    commit: (postings, options) => {
      const startedAt = performance.now();
      batchSizes.observe(postings.length);
      return postBatch(deps, postings, options).finally(() => commitSeconds.observe((performance.now() - startedAt) / 1_000));
    },
  });
  return { post: (posting) => submit(withCause(posting, deps.newId)), drain };
}
