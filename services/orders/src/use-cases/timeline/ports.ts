import type { AuditEntryOfHistory, EventOfHistory, NetworkIntentView, NetworkTransactionView } from '@holdfast/contracts/http';
import type { Context, Instant } from '@holdfast/kernel/context';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { SagaOutcome } from '@holdfast/sagas';
import type { Order } from '../../domain/order.js';
import type { HeldReason, TimerKind } from '../../domain/timers.js';
import type { Deps } from '../ports.js';

/** A run of an order, open or closed. Closed ones are deleted after 30 days. */
export type RunOfOrder = {
  readonly id: SagaRunId;
  readonly saga: string;
  readonly begunAt: Instant;
  readonly closedAt: Instant | null;
  readonly attempts: number;
  readonly nextRetryAt: Instant | null;
  readonly retryStoppedReason: string | null;
  readonly outcome: SagaOutcome | null;
};

export type TimerOfOrder = {
  readonly kind: TimerKind;
  readonly subject: string;
  readonly dueAt: Instant;
  readonly attempts: number;
  readonly heldReason: HeldReason | null;
};

type Ctx = Pick<Context, 'requestId' | 'caller'>;

/** What a timeline is made of. The last three are read from other services, and SERVICE_UNAVAILABLE if those do not respond. */
export type TimelineDeps = Pick<Deps, 'orders'> & {
  readonly timeline: {
    /** The newest runs, newest first. */
    readonly runsOf: (order: Order, limit: number) => Promise<readonly RunOfOrder[]>;
    readonly timersOf: (order: Order) => Promise<readonly TimerOfOrder[]>;
    /** The newest disputes, including disputes of milestones. */
    readonly disputeIdsOf: (order: Order, limit: number) => Promise<readonly string[]>;
    readonly events: (
      resourceIds: readonly string[],
      ctx: Ctx,
    ) => Promise<{ readonly events: readonly EventOfHistory[]; readonly hasMore: boolean }>;
    readonly audit: (
      resourceId: string,
      ctx: Ctx,
    ) => Promise<{ readonly entries: readonly AuditEntryOfHistory[]; readonly hasMore: boolean }>;
    readonly network: (runIds: readonly SagaRunId[], ctx: Ctx) => Promise<NetworkOfRuns>;
  };
};

export type NetworkOfRuns = {
  readonly intents: readonly NetworkIntentView[];
  readonly transactions: readonly NetworkTransactionView[];
  readonly hasMore: boolean;
};
