import type { Envelope } from '@holdfast/contracts/messages';

/** Which queues exist and which message types each one receives. Computed from the contracts by `topologyOf`. */
export type Topology = { readonly queues: readonly TopologyQueue[] };

export type TopologyQueue = { readonly name: string; readonly types: readonly string[] };

export type Delivery = {
  readonly envelope: Envelope;
  /** How often a handler has failed on it before. Redeliveries after a lost connection do not count. */
  readonly attempts: number;
};

export type Subscription = {
  /** Takes no more deliveries, waits for running handlers, then resolves. */
  readonly stop: () => Promise<void>;
};

/** A message that waits for a person: its handler failed too often, or it could not be read at all. */
export type ParkedMessage = {
  readonly queue: string;
  readonly messageId: string;
  readonly type: string;
  readonly attempts: number;
  readonly parkedAt: string;
  readonly reason: string;
  readonly body: unknown;
};

/** Wakes up listeners of a topic. Notifications are transient and may be lost: whoever waits for one also polls. */
export type Notification = { readonly topic: string; readonly key: string };

/** What messaging needs of a transport. Two drivers: RabbitMQ, and Postgres-backed within one process. */
export type Broker = {
  /**
   * Resolves once every message is durable in every queue of its type. Rejects with `PublishFailed`, within a time
   * limit, if that is not certain of some; publishing those again is always right.
   */
  readonly publish: (envelopes: readonly Envelope[]) => Promise<void>;
  /**
   * Handlers run concurrently, up to `prefetch`. A handler that resolves acknowledges; one that throws has the message retried
   * after growing delays and parked after the last one; `PoisonMessage` parks it at once.
   */
  readonly consume: (
    queue: string,
    options: { readonly prefetch: number },
    handler: (delivery: Delivery) => Promise<void>,
  ) => Promise<Subscription>;
  /** Notifies the listeners of every process, those of this one at once. */
  readonly broadcast: (notification: Notification) => void;
  /** Listens to notifications of these topics, broadcast or sent to this process alone. Returns how to stop listening. */
  readonly onNotification: (topics: readonly string[], listener: (notification: Notification) => void) => () => void;
  /** The queue through which `notify` reaches this process. Undefined while there is none; a new connection has a new one. */
  readonly replyQueue: () => string | undefined;
  /** Notifies the listeners of the one process that has this reply queue. */
  readonly notify: (replyQueue: string, notification: Notification) => void;
  readonly listParked: (queue: string, limitMax: number) => Promise<readonly ParkedMessage[]>;
  /** Sends parked messages back to their own queue with a fresh count; all of them, or the named ones. Returns how many. */
  readonly redriveParked: (queue: string, messageIds?: readonly string[]) => Promise<number>;
  /** Whether the transport answers right now. */
  readonly isHealthy: () => boolean;
  /** Stops every consumer, waits for running handlers and for what is being published, within limits. Safe to call twice. */
  readonly close: () => Promise<void>;
};

/** The named messages may be durable or not; all others of the same call are. */
export class PublishFailed extends Error {
  readonly messageIds: readonly string[];

  constructor(reason: string, messageIds: readonly string[], options?: { readonly cause?: unknown }) {
    super(reason, options);
    this.name = 'PublishFailed';
    this.messageIds = messageIds;
  }
}

/** Thrown by a handler whose message can never work, however often it is tried. */
export class NonRetryableError extends Error {
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(reason, options);
    this.name = 'NonRetryableError';
  }
}

/** What a driver reports for metrics. */
export type BrokerEvent =
  | { readonly kind: 'published' | 'publish_failed'; readonly count: number }
  | { readonly kind: 'handled' | 'retried' | 'parked'; readonly queue: string; readonly type: string };

/** How long a failed message waits before each next try. After the last one it is parked. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];
