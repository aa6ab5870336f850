import type { Instant } from '../context/index.js';
import type { ErrorCode, ErrorDetails } from '../errors/index.js';
import type { MarketplaceId, SagaRunId } from '../ids/index.js';

/** How a saga ended, in a form from which the waiting request can be answered. `record` is what it was about, as it is now. */
export type Outcome =
  | { readonly status: 'succeeded'; readonly record?: unknown }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly details?: ErrorDetails; readonly record?: unknown };

export type NewSagaRun = {
  readonly saga: string;
  readonly aggregateId: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
};

export type BegunSagaRun = NewSagaRun & { readonly id: SagaRunId };

/** A run that nobody has closed yet. */
export type SagaRun = BegunSagaRun & { readonly begunAt: Instant };

export type EndOfRun = { readonly runId: SagaRunId; readonly outcome: Outcome };
