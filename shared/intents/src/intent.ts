import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { Envelope } from '@holdfast/contracts/messages';
import type { MarketplaceId, MessageId, SagaRunId } from '@holdfast/kernel/ids';

/** Work that a message requested and that must be completed even if a process dies. */
export type NewIntent = {
  /** The id of the requesting message, so that a redelivered message finds the same intent. */
  readonly id: MessageId;
  readonly kind: string;
  /** The id of what the intent acts on. A subject, or a part of it, has at most one open intent. */
  readonly subject: string;
  /** The part of the subject that it acts on, such as a milestone of a contract. Absent: all of it. */
  readonly subjectPart?: string;
  /** Lower numbers go first. */
  readonly priority: number;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  /** The saga and run of the requesting message; the replies name them. */
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
  /** The public event that the event stream must show before the replies. */
  readonly afterEventId?: MessageId;
  /** The span that requested the intent, as a W3C `traceparent`. Absent while tracing is off. */
  readonly traceparent?: string;
  /** When the requesting message occurred. */
  readonly requestedAt: Instant;
  /** The payload of the requesting message; the handler parses it. */
  readonly payload: unknown;
};

/** Values that a handler stores between runs of an intent. */
export type WorkerState = Readonly<Record<string, unknown>>;

/** The lease of an intent. The fencing token counts the leases: a process with an older token has lost its lease. */
export type IntentLease = { readonly id: MessageId; readonly leaseToken: number };

/** An intent that this process holds the lease of. */
export type Intent = NewIntent &
  IntentLease & {
    readonly workerState: WorkerState;
    /** Runs that did not close the intent. */
    readonly attempts: number;
    readonly createdAt: Instant;
    /** This is the first lease, so the intent has no transactions yet. */
    readonly isFresh: boolean;
  };

/** The intent of a message or of its saga run, or the abort of that run. */
export type EarlierEffect = {
  readonly id: MessageId;
  readonly isAbort: boolean;
  /** Those with which the intent was closed, or those to the abort. Undefined while there are none. */
  readonly replies: readonly Envelope[] | undefined;
};

type PauseOptions = { readonly cause?: unknown; readonly waitedMs?: number };

/**
 * The handler may not continue yet. The intent is run again after `retryInMs`, and the run does not count as an attempt. A request
 * that waits for the same thing without an intent gets SERVICE_UNAVAILABLE.
 */
export class IntentPaused extends AppError {
  /** Only the log shows it. */
  readonly reason: string;
  readonly retryInMs: number;
  /** How long it has waited without interruption, where that is known. */
  readonly waitedMs: number | undefined;

  constructor(reason: string, retryInMs: number, { cause = reason, waitedMs }: PauseOptions = {}) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: Math.ceil(retryInMs / 1_000) }, { cause });
    this.name = 'IntentPaused';
    this.reason = reason;
    this.retryInMs = retryInMs;
    this.waitedMs = waitedMs;
  }
}

/** Another process has claimed the intent; the write of this process was dropped. */
export class LeaseLost extends Error {
  constructor(intentId: string) {
    super(`the lease of intent ${intentId} was lost`);
    this.name = 'LeaseLost';
  }
}
