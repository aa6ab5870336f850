import type { webhookAttemptErrors } from '@holdfast/contracts/http';
import type { MessageDeclaration, Payload } from '@holdfast/contracts/messages';
import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, MessageId, NewId, WebhookDeliveryId, WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Listed, PageFilter } from '@holdfast/kernel/pages';
import type { IdempotentRequest } from '@holdfast/service-kit/idempotent-requests';
import type { LoggedEvent } from '../../domain/webhooks/first-delivery.js';
import type { WebhookDeliveryStatus } from '../../domain/webhooks/webhook-delivery-states.js';
import type { WebhookEndpoint } from '../../domain/webhooks/webhook-endpoint.js';

/** One HTTP request of a delivery. The sender signs the body with every secret, at the time of the attempt. */
export type WebhookAttempt = {
  readonly url: string;
  /** The `webhook-id`: the same for every attempt, replay and resend of the event. */
  readonly eventId: string;
  readonly body: string;
  readonly secrets: readonly string[];
};

/** `CONNECT`: refused or reset. `STATUS`: any status but 2xx. `RESPONSE`: no valid response. */
export type AttemptError = (typeof webhookAttemptErrors)[number];

export type AttemptOutcome = {
  readonly durationMs: number;
  /** Null where no response arrived. */
  readonly status: number | null;
  /** Null where the event was delivered. */
  readonly error: AttemptError | null;
  readonly responseBody: string;
  readonly retryAfterSeconds: number | null;
};

export const urlFindings = ['ok', 'malformed', 'not_https', 'not_resolved', 'blocked_address'] as const;
/** `malformed` covers user info and fragments. */
export type UrlFinding = (typeof urlFindings)[number];

export type WebhookSender = {
  readonly send: (attempt: WebhookAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;
  readonly checkUrl: (url: string) => Promise<UrlFinding>;
};

/** An event of the log, without its envelope. */
export type QueuedEvent = LoggedEvent;

export type WebhookDelivery = {
  readonly id: WebhookDeliveryId;
  readonly endpointId: WebhookEndpointId;
  readonly marketplaceId: MarketplaceId;
  readonly eventId: MessageId;
  readonly eventType: string;
  readonly aggregateType: string;
  readonly aggregateId: string;
  /** The event in the log; 0 for a test event, which has its own body instead. */
  readonly position: bigint;
  readonly eventAppendedAt: Instant | null;
  readonly body: string | null;
  /** Replays, resends and tests are a second queue of the endpoint. */
  readonly isReplay: boolean;
  readonly status: WebhookDeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Instant | null;
  readonly deliveredAt: Instant | null;
  readonly createdAt: Instant;
};

/** What the API shows of a delivery. */
export type ShownDelivery = Omit<
  WebhookDelivery,
  'marketplaceId' | 'aggregateType' | 'position' | 'eventAppendedAt' | 'body' | 'isReplay'
>;

/** What a delivery is about, which never changes. */
export type DeliverySubject = Omit<WebhookDelivery, 'status' | 'attempts' | 'nextAttemptAt' | 'deliveredAt'>;

export type NewDelivery = DeliverySubject & {
  /** Whether it waits for other open deliveries of its aggregate in the same queue. */
  readonly isOrdered: boolean;
};

/** Events that are to be delivered to an endpoint, in the order of the log. */
export type EventBatch = {
  readonly endpointId: WebhookEndpointId;
  readonly events: readonly Pick<QueuedEvent, 'position' | 'appendedAt'>[];
};

/** The last position of the log up to which each event for the endpoint has a delivery with a row. */
export type StoredUntil = { readonly endpointId: WebhookEndpointId; readonly position: bigint };

/** An attempt as the log of a delivery shows it. */
export type AttemptRecord = Omit<AttemptOutcome, 'retryAfterSeconds'> & { readonly at: Instant };

/**
 * A delivery that gets its row now, or what an attempt changes in its row. A delivery that has ended meanwhile keeps its status, unless it
 * is delivered now.
 */
export type DeliveryState = Pick<WebhookDelivery, 'status' | 'nextAttemptAt' | 'deliveredAt'> & {
  readonly subject: DeliverySubject;
  /** How many attempts there were before this one. */
  readonly attempts: number;
  /** Null for a delivery that gets its row without one. */
  readonly attempt: AttemptRecord | null;
};

/** Selects events of one marketplace in the order of the log. */
export type EventRange = {
  readonly marketplaceId: MarketplaceId;
  readonly after: Instant;
  readonly until: Instant;
  readonly afterPosition: bigint;
  readonly untilPosition: bigint;
  /** Leaves out what this endpoint has received. */
  readonly notDeliveredTo: WebhookEndpointId | null;
  readonly limit: number;
};

/** A message before it gets its envelope from the outbox. */
export type OutgoingMessage<Data> = {
  readonly aggregateId: string;
  readonly aggregateVersion: number;
  readonly marketplaceId: MarketplaceId;
  readonly afterEventId?: MessageId | undefined;
  readonly payload: Data;
};

/** Positions of the log from which an endpoint gets events. */
export type StartPositions = {
  readonly fanOutAfter: bigint;
  /** How far enabling with a replay goes back. */
  readonly replayAfter: bigint;
};

/** The stores of one transaction. */
export type WebhookUnitOfWork = {
  readonly endpoints: {
    /** Those that are not deleted. Concurrent transactions of the marketplace wait for each other here. */
    readonly count: (marketplaceId: MarketplaceId) => Promise<number>;
    readonly insert: (endpoint: WebhookEndpoint, starts: StartPositions) => Promise<void>;
    readonly lock: (marketplaceId: MarketplaceId, id: WebhookEndpointId) => Promise<WebhookEndpoint | undefined>;
    /**
     * Locks all, in a fixed order, deleted ones too. Returns only those that attempts may change: with a failure among them, or since
     * the last success.
     */
    readonly lockAll: (
      ids: readonly WebhookEndpointId[],
      failedIds: readonly WebhookEndpointId[],
    ) => Promise<readonly WebhookEndpoint[]>;
    readonly save: (endpoint: WebhookEndpoint) => Promise<void>;
    /** The enabled endpoints of these marketplaces, in a fixed order. */
    readonly lockReceivers: (marketplaceIds: readonly MarketplaceId[]) => Promise<readonly Receiver[]>;
    readonly startsOf: (id: WebhookEndpointId) => Promise<StartPositions>;
    readonly saveStarts: (id: WebhookEndpointId, starts: StartPositions) => Promise<void>;
  };
  readonly deliveries: {
    /** The endpoints must be locked. Makes them due. */
    readonly insert: (deliveries: readonly NewDelivery[]) => Promise<void>;
    readonly find: (marketplaceId: MarketplaceId, id: WebhookDeliveryId) => Promise<WebhookDelivery | undefined>;
    /** Cancels the given deliveries that are open. */
    readonly cancel: (ids: readonly WebhookDeliveryId[]) => Promise<void>;
    /** Those that have rows; returns how many. */
    readonly cancelOpen: (endpointId: WebhookEndpointId) => Promise<number>;
    /** After a change to `ordering: none`. */
    readonly endWaits: (endpointId: WebhookEndpointId, at: Instant) => Promise<void>;
    /** Inserts rows, or records attempts in those that exist. Returns how many rows were inserted. */
    readonly store: (states: readonly DeliveryState[]) => Promise<number>;
    /** Makes the next open delivery of each aggregate due. */
    readonly dueNext: (endedIds: readonly WebhookDeliveryId[], at: Instant) => Promise<void>;
  };
  readonly batches: {
    /** The endpoints must be locked. Makes them due. */
    readonly insert: (batches: readonly EventBatch[], at: Instant) => Promise<void>;
    /** The events of an endpoint's batches, in the order of the log. Some may have rows already. */
    readonly events: (endpointId: WebhookEndpointId, after: bigint, limit: number) => Promise<readonly QueuedEvent[]>;
    /** Deletes the batches whose events all have rows. */
    readonly remove: (stored: readonly StoredUntil[]) => Promise<void>;
    readonly removeAll: (endpointId: WebhookEndpointId) => Promise<void>;
  };
  readonly log: {
    /** The last position. */
    readonly end: () => Promise<bigint>;
    /**
     * The last position. Until the commit no events are fanned out, so the caller knows that all up to this position are its own to
     * queue. While no endpoint is enabled the fan-out stands still; then it continues from here.
     */
    readonly lockFanOut: () => Promise<bigint>;
    readonly events: (range: EventRange) => Promise<readonly QueuedEvent[]>;
    /** The position up to which events were fanned out. One transaction at a time has it. */
    readonly lockPosition: () => Promise<bigint>;
    readonly savePosition: (position: bigint) => Promise<void>;
    /** Events of all marketplaces. */
    readonly eventsAfter: (position: bigint, limit: number) => Promise<readonly QueuedEvent[]>;
    readonly hasEvent: (event: Pick<WebhookDelivery, 'position' | 'eventAppendedAt'>) => Promise<boolean>;
  };
  /** Returns the id of the message. */
  readonly publish: <M extends MessageDeclaration>(declaration: M, message: OutgoingMessage<Payload<M>>) => MessageId;
  /** After the commit: endpoints may have something to deliver, or to fan out. */
  readonly wakeWorkers: () => void;
};

export type DeliveryFilter = PageFilter & {
  readonly endpointId?: WebhookEndpointId | undefined;
  readonly eventId?: MessageId | undefined;
  readonly aggregateId?: string | undefined;
  readonly status?: WebhookDeliveryStatus | undefined;
};

export type WebhookDeps = {
  /** Runs the work in one transaction, once: a repeated operation gets the first result, also after an unknown outcome. */
  readonly perform: <Result>(request: IdempotentRequest, work: (tx: WebhookUnitOfWork) => Promise<Result>) => Promise<Result>;
  readonly endpoints: {
    readonly find: (marketplaceId: MarketplaceId, id: WebhookEndpointId) => Promise<WebhookEndpoint | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: PageFilter) => Listed<WebhookEndpoint>;
  };
  readonly deliveries: {
    readonly find: (
      marketplaceId: MarketplaceId,
      id: WebhookDeliveryId,
    ) => Promise<(WebhookDelivery & { readonly attemptLog: readonly AttemptRecord[] }) | undefined>;
    readonly list: (marketplaceId: MarketplaceId, filter: DeliveryFilter) => Listed<WebhookDelivery>;
  };
  readonly sender: Pick<WebhookSender, 'checkUrl'>;
  /** `whsec_` and 32 random bytes in base64. */
  readonly newSecret: () => string;
  readonly newId: NewId;
  readonly endpointsMax: number;
  readonly historyDays: number;
};

/** An enabled endpoint that events are fanned out to. */
export type Receiver = Pick<WebhookEndpoint, 'id' | 'marketplaceId' | 'types'> & {
  readonly fanOutAfter: bigint;
  /** Whether a process delivers to it at present. */
  readonly isLeased: boolean;
};
