import type { Envelope } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';

/** Which queues exist and which message types each one receives. Computed from the contracts by `topologyOf`. */
export type Topology = { readonly queues: readonly TopologyQueue[] };

export type TopologyQueue = { readonly name: string; readonly types: readonly string[] };

export type Delivery = {
  readonly envelope: Envelope;
  /** How often a handler has failed on this message before. Redeliveries after a lost connection do not count. */
  readonly attempts: number;
};

export type Subscription = {
  /** Takes no more deliveries, waits for running handlers, then resolves. */
  readonly stop: () => Promise<void>;
};

/** A message as it is stored, also when it cannot be parsed. */
export type RawMessage = { readonly messageId: string; readonly type: string; readonly body: Buffer };

/** What the publisher knows about its messages. */
export type Publishing = {
  /** False only if none of the messages was published before: then no consumer has parked one of them. */
  readonly isRepeated: boolean;
};

/** What is assumed where the publisher says nothing. */
export const repeated: Publishing = { isRepeated: true };

/** A message that no retry helps: its handler failed too often, or its body could not be parsed. */
export type UnhandledMessage = RawMessage & {
  /** How often a handler has failed on it. */
  readonly attempts: number;
  readonly reason: string;
};

/** Where a consumer keeps the messages of its queue that wait for an operator. There is at most one per message id. */
export type ParkedStore = {
  /** Resolves once the message is durable. A message that is parked already is replaced. */
  readonly park: (message: UnhandledMessage) => Promise<void>;
  /**
   * Deletes the message if it is parked. Drivers call it for a repeated message, after the handler and before they acknowledge the
   * message. A message is repeated unless its publisher says that it is not and the broker delivers it for the first time.
   */
  readonly removeHandled: (messageId: string) => Promise<void>;
};

export type ConsumeOptions = {
  /** The maximum number of concurrent handlers. */
  readonly prefetch: number;
  readonly parked: ParkedStore;
  /** What becomes of the deliveries of this consumer, for metrics. Must not throw. */
  readonly onEvent?: (event: BrokerEvent) => void;
};

/** Messages that wait for a consumer: to be handled, to be retried later, or to be stored as parked. */
export type QueueDepth = { readonly work: number; readonly retry: number; readonly parking: number };

/** Wakes up the listeners of a topic. Notifications are transient and may be lost, so a listener also polls. */
export type Notification = { readonly topic: string; readonly key: string };

/** The port of messaging. Two drivers implement it: RabbitMQ, and an in-process broker on Postgres. */
export type Broker = {
  /**
   * Resolves once every message is durable in every queue of its type. Rejects with `PublishFailed`, within a time
   * limit, if some messages are unconfirmed; publishing those again, as repeated ones, is always safe.
   */
  readonly publish: (envelopes: readonly Envelope[], publishing?: Publishing) => Promise<void>;
  /**
   * Runs up to `prefetch` handlers concurrently. The message is acknowledged when its handler resolves. When the handler throws, the
   * message is retried after growing delays and parked after the last one; `NonRetryableError` parks it at once, and after
   * `NewerVersionError` it is retried after the longest delay until it is too old. A parked message is delivered when it is published
   * again.
   */
  readonly consume: (
    queue: string,
    options: ConsumeOptions,
    handler: (delivery: Delivery) => Promise<void>,
  ) => Promise<Subscription>;
  /** Puts messages into one queue, with zero attempts: parked ones, or one for that service alone. Resolves and rejects like `publish`. */
  readonly redeliver: (queue: string, messages: readonly RawMessage[], publishing?: Publishing) => Promise<void>;
  /** Rejects while disconnected. */
  readonly queueDepth: (queue: string) => Promise<QueueDepth>;
  /** Notifies the listeners of every process. Listeners of this process are called synchronously. */
  readonly broadcast: (notification: Notification) => void;
  /** Subscribes to notifications of these topics, broadcast or sent to this process. Returns the function that unsubscribes. */
  readonly onNotification: (topics: readonly string[], listener: (notification: Notification) => void) => () => void;
  /** The queue through which `notify` reaches this process. Undefined while disconnected; each connection has a new one. */
  readonly replyQueue: () => string | undefined;
  /** Notifies the listeners of the process that owns this reply queue. */
  readonly notify: (replyQueue: string, notification: Notification) => void;
  /** Whether the transport is connected and accepts messages. */
  readonly isHealthy: () => boolean;
  /** Stops every consumer, then waits for running handlers and unconfirmed publishes, within time limits. Idempotent. */
  readonly close: () => Promise<void>;
};

/** Names the unconfirmed messages, which may or may not be durable. All other messages of the call are durable. */
export class PublishFailed extends Error {
  readonly messageIds: readonly string[];

  constructor(reason: string, messageIds: readonly string[], options?: { readonly cause?: unknown }) {
    super(reason, options);
    this.name = 'PublishFailed';
    this.messageIds = messageIds;
  }
}

/** Thrown by a handler when no retry can help. The message is parked at once. */
export class NonRetryableError extends Error {
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(reason, options);
    this.name = 'NonRetryableError';
  }
}

/**
 * A newer version has published the message. During a roll-out it waits for a process that knows it, so such failures do not count; it
 * is parked when it is older than `newerVersionWaitMs`.
 */
export class NewerVersionError extends Error {
  readonly occurredAt: Instant;

  constructor(reason: string, { occurredAt }: Pick<Envelope, 'occurredAt'>) {
    super(reason);
    this.name = 'NewerVersionError';
    this.occurredAt = occurredAt;
  }
}

/** What a driver reports for metrics. */
export type BrokerEvent =
  | { readonly kind: 'published' | 'publish_failed'; readonly count: number }
  | { readonly kind: 'handled' | 'retried' | 'newer_version' | 'parked'; readonly queue: string; readonly type: string };

/** The delay before each retry of a failed message. After the last retry the message is parked. */
export const defaultRetryDelaysMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];

/** How long messages of a newer version wait. */
export const defaultNewerVersionWaitMs = 86_400_000;
