import type { Instant } from '@holdfast/kernel/context';
import type { ErrorCode, ErrorDetails } from '@holdfast/kernel/errors';
import type { MarketplaceId, SagaRunId } from '@holdfast/kernel/ids';

/** How a saga run ended, with the data for the response of the waiting request. `record` is the current state of its aggregate. */
export type SagaOutcome =
  | { readonly status: 'succeeded'; readonly record?: unknown }
  | { readonly status: 'failed'; readonly code: ErrorCode; readonly details?: ErrorDetails; readonly record?: unknown };

export type StartedSagaRun = {
  readonly id: SagaRunId;
  readonly saga: string;
  readonly aggregateId: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
};

/** An open run. */
export type SagaRun = StartedSagaRun & {
  readonly begunAt: Instant;
  /** How often its command was resent. */
  readonly attempts: number;
  /** Null if the retries were stopped. */
  readonly nextRetryAt: Instant | null;
  /** Why no retry helps. An operator must look. */
  readonly retryStoppedReason: string | null;
};

/** The command of an open run is resent after `firstAfterMs`, then after delays that double up to `afterMsMax`. */
export type RunRetries = { readonly firstAfterMs: number; readonly afterMsMax: number };

/** Open runs of these sagas are overdue after `afterMs`. */
export type RunDeadlines = { readonly sagas: readonly string[]; readonly afterMs: number };

/** How a run ended, for metrics: a failed one was refused by a rule, compensated after a failure, or aborted at its deadline. */
export const runOutcomes = ['succeeded', 'refused', 'compensated', 'aborted', 'resolved'] as const;
export type RunOutcome = (typeof runOutcomes)[number];

export type EndedRun = { readonly saga: string; readonly outcome: RunOutcome; readonly durationSeconds: number };

/** The open runs of a saga. */
export type OpenRuns = { readonly saga: string; readonly count: number; readonly oldestSeconds: number };

export type SagaRunOutcome = { readonly runId: SagaRunId; readonly outcome: SagaOutcome };
