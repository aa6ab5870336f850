import type { OpenRunState, RunState } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/instants';
import type { ErrorCode, ErrorDetails } from '@holdfast/kernel/errors';
import type { MarketplaceId, SagaRunId } from '@holdfast/kernel/ids';

/** Why a saga run failed, as the waiting request gets it. */
export type Failure = { readonly code: ErrorCode; readonly details?: ErrorDetails };

/** How a saga run ended, with the data for the response of the waiting request. `record` is the current state of its aggregate. */
export type SagaOutcome =
  | { readonly status: 'succeeded'; readonly record?: unknown }
  | (Failure & { readonly status: 'failed'; readonly record?: unknown });

export type NewSagaRun = {
  readonly id: SagaRunId;
  readonly saga: string;
  readonly aggregateId: string;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
};

/** An open run. */
export type SagaRun = NewSagaRun & {
  readonly begunAt: Instant;
  /** How often its command was resent. */
  readonly attempts: number;
  /** Null if the retries were stopped. */
  readonly nextRetryAt: Instant | null;
  /** Why no retry helps. An operator must look. */
  readonly retryStoppedReason: string | null;
};

/** A run as an operator sees it, open or ended. */
export type JudgedRun = SagaRun & {
  readonly state: RunState;
  /** Null while it is open. */
  readonly endedAt: Instant | null;
};

/** `after` is the last run of the page before. */
export type RunFilter = {
  readonly state?: OpenRunState | undefined;
  readonly saga?: string | undefined;
  readonly aggregateId?: string | undefined;
  readonly after?: { readonly begunAt: Instant; readonly id: SagaRunId } | undefined;
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

/** The runs of a service, as its use cases need them. */
export type Runs<Outcome extends SagaOutcome = SagaOutcome> = {
  /** SERVICE_UNAVAILABLE once the process stops, so that no request starts a run that it cannot wait for. */
  readonly requireAccepting: () => void;
  /** Rejects with PROVIDER_TIMEOUT at the time limit, while the saga continues. An aborted signal ends the wait with its reason. */
  readonly wait: (runId: SagaRunId, timeoutMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /** Runs that have been open for longer than `olderThanMs`, oldest first. */
  readonly stalledRuns: (olderThanMs: number, limitMax: number, filter?: RunFilter) => Promise<readonly JudgedRun[]>;
  /** Also a run that has ended, until it is pruned. */
  readonly find: (runId: SagaRunId) => Promise<JudgedRun | undefined>;
  /**
   * Runs whose command must be resent now, longest due first. Their next retry is set with back-off, so that runs that cannot end
   * do not delay others, and no other replica gets them meanwhile.
   */
  readonly takeDue: (limitMax: number) => Promise<readonly SagaRun[]>;
  /** Runs that are past their deadline. Each call sets their next deadline, so no other call returns them meanwhile. */
  readonly takeOverdue: (limitMax: number) => Promise<readonly SagaRun[]>;
  /** In how many milliseconds a command must be resent, and a run is past its deadline; undefined if none will be. */
  readonly nextDueInMs: () => Promise<number | undefined>;
  readonly nextOverdueInMs: () => Promise<number | undefined>;
  /** Starts the back-off of an open run again, also if its retries were stopped. Undefined if the run is not open. */
  readonly restartRetries: (runId: SagaRunId) => Promise<SagaRun | undefined>;
};

export type SagaRunOutcome = { readonly runId: SagaRunId; readonly outcome: SagaOutcome };
