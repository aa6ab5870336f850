import type { Envelope } from '../contracts/messages/index.js';

/** Which queues exist and which message types each one receives. Computed from the contracts by `topologyOf`. */
export type Topology = { readonly queues: readonly TopologyQueue[] };

export type TopologyQueue = {
  readonly name: string;
  readonly types: readonly string[];
  /** Where nobody waits for what the queue is told: each process sends to it at most this often, and then all that has come. */
  readonly spacingMs?: number;
};

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

/** Wakes waiters in every process of an installation that listens to the topic. A hint may be lost: whoever waits also polls. */
export type Hint = { readonly topic: string; readonly key: string };

/** What messaging needs of a transport. Two drivers: RabbitMQ, and Postgres-backed within one process. */
export type Broker = {
  /**
   * Resolves once every message is durable in every queue bound to its type. Rejects with `PublishFailed`, within a time
   * limit, if that is not certain of some; publishing those again is always right.
   */
  readonly publish: (envelopes: readonly Envelope[]) => Promise<void>;
  /**
   * Handlers run concurrently, up to `prefetch`. A handler that resolves acknowledges; one that throws sends the message
   * down the retry ladder and, after its last rung, to the parked ones; `PoisonMessage` parks it at once.
   */
  readonly consume: (
    queue: string,
    options: { readonly prefetch: number },
    handler: (delivery: Delivery) => Promise<void>,
  ) => Promise<Subscription>;
  readonly broadcast: (hint: Hint) => void;
  /** Returns how to stop listening. */
  readonly onBroadcast: (topics: readonly string[], listener: (hint: Hint) => void) => () => void;
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
export class PoisonMessage extends Error {
  constructor(reason: string, options?: { readonly cause?: unknown }) {
    super(reason, options);
    this.name = 'PoisonMessage';
  }
}

/** What a driver tells whoever counts. */
export type BrokerEvent =
  | { readonly kind: 'published' | 'publish_failed'; readonly count: number }
  | { readonly kind: 'handled' | 'retried' | 'parked'; readonly queue: string; readonly type: string };

/** How long a failed message waits before each next try. After the last one it is parked. */
export const retryLadderMs: readonly number[] = [1_000, 5_000, 30_000, 120_000];
