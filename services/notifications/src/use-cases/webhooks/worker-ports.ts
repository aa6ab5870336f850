import type { Clock, Context, Log } from '@holdfast/kernel/context';
import type { NewId, WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import type { AttemptError, DeliverySubject, WebhookSender, WebhookUnitOfWork } from './ports.js';

/** A delivery that is due, with what its attempt needs. */
export type DueDelivery = DeliverySubject & {
  readonly attempts: number;
  readonly url: string;
  readonly secrets: readonly string[];
  /** What is posted. Null where the history has dropped the event. */
  readonly content: string | null;
};

/** A first delivery that has no row yet. */
export type UnstoredDelivery = DueDelivery & {
  readonly isOrdered: boolean;
  /** Whether an earlier delivery of its aggregate is open. */
  readonly isBlocked: boolean;
};

/** The next events for an endpoint that have no row yet. */
export type LogPart = {
  readonly endpointId: WebhookEndpointId;
  /** The position of the last one. */
  readonly until: bigint;
  /** How many there are, also of events that the history has dropped. */
  readonly count: number;
  readonly deliveries: readonly UnstoredDelivery[];
};

export type Lease = { readonly endpointId: WebhookEndpointId; readonly token: bigint };

/** A new lease; `isTakenOver` if the process that had the endpoint before has not released it. */
export type Claimed = Lease & { readonly isTakenOver: boolean };

/** What a process wants of an endpoint that it has leased. */
export type Wanted = { readonly endpointId: WebhookEndpointId; readonly firstMax: number; readonly replayMax: number };

export type WantedOfLog = { readonly endpointId: WebhookEndpointId; readonly after: bigint; readonly max: number };

/** The lease of an idle endpoint, and the position up to which its events have rows. */
export type IdleLease = Lease & { readonly storedUntil: bigint };

export type Released = { readonly endpointId: WebhookEndpointId; readonly dueInMs: number | null };

/** The queue of deliveries, by endpoint. */
export type DeliveryQueue = {
  /** Leases endpoints with due deliveries that no other process has leased. */
  readonly claim: (limit: number) => Promise<readonly Claimed[]>;
  /** Returns the leases that are still held. */
  readonly extend: (leases: readonly Lease[]) => Promise<readonly Lease[]>;
  /** Due deliveries of leased endpoints, oldest first, without those in flight. */
  readonly due: (wanted: readonly Wanted[], inFlight: readonly WebhookDeliveryId[]) => Promise<readonly DueDelivery[]>;
  readonly unstored: (wanted: readonly WantedOfLog[]) => Promise<readonly LogPart[]>;
  /** Those that have a row. */
  readonly stored: (ids: readonly WebhookDeliveryId[]) => Promise<readonly WebhookDeliveryId[]>;
  /** Ends the leases of endpoints that have nothing due; returns those. */
  readonly release: (leases: readonly IdleLease[]) => Promise<readonly Released[]>;
  /** Ends the leases whatever is due, for other processes. */
  readonly handOver: (leases: readonly Lease[]) => Promise<void>;
};

export type WorkerDeps = {
  readonly queue: DeliveryQueue;
  readonly sender: Pick<WebhookSender, 'send'>;
  /** One transaction for the outcomes of attempts. */
  readonly inTransaction: <Result>(ctx: Context, work: (tx: WebhookUnitOfWork) => Promise<Result>) => Promise<Result>;
  readonly newId: NewId;
  /** The context of work that no request has asked for. */
  readonly newContext: () => Context;
  /** The gaps between retries, in seconds. */
  readonly retryGaps: readonly number[];
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 up to, excluding, 1. */
  readonly random: () => number;
  readonly counts: WebhookCounts;
};

/** Metrics of webhooks. */
export type WebhookCounts = {
  readonly attempt: (outcome: AttemptError | 'DELIVERED', durationMs: number) => void;
  readonly ended: (status: 'DELIVERED' | 'EXHAUSTED' | 'CANCELED', count: number) => void;
};
