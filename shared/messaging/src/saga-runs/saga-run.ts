import type { Instant } from '@holdfast/kernel/context';
import type { ErrorCode, ErrorDetails } from '@holdfast/kernel/errors';
import type { MarketplaceId, SagaRunId } from '@holdfast/kernel/ids';

/** How a saga ended, in a form from which the waiting request can be answered. `record` is what it was about, as it is now. */
export type SagaOutcome =
  | { readonly status: 'succeeded'; readonly record?: unknown }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly details?: ErrorDetails; readonly record?: unknown };

export type NewSagaRun = {
  readonly saga: string;
  readonly aggregateId: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
};

export type StartedSagaRun = NewSagaRun & { readonly id: SagaRunId };

/** A run that nobody has closed yet. */
export type SagaRun = StartedSagaRun & { readonly begunAt: Instant };

export type SagaRunOutcome = { readonly runId: SagaRunId; readonly outcome: SagaOutcome };
