import type { Context, Instant } from '@holdfast/kernel/context';
import type { Id } from '@holdfast/kernel/ids';

/** `applied` also if nothing was new; `ignored` if the event does not concern us; `failed` after the last attempt. */
export const eventResults = ['applied', 'ignored', 'failed'] as const;
export type EventResult = (typeof eventResults)[number];

export type ReceivedEvent = {
  /** The id that the provider assigned, else one that the service computes. */
  readonly providerEventId: string;
  readonly eventType: string;
  /** What `HandleEvent` reads: the body as it was received, or what the service keeps of it. */
  readonly body: Uint8Array;
  readonly isSigned: boolean;
};

export type WebhookEvent = ReceivedEvent & {
  readonly id: Id<'whe'>;
  readonly receivedAt: Instant;
};

export type ClaimedEvent = WebhookEvent & {
  /** Attempts that have begun, the current one included. */
  readonly attempts: number;
};

/** The note is for operators. */
export type FinalOutcome = { readonly result: 'applied' | 'ignored'; readonly note?: string };

/** What a statement of the service says about an event by its own tables. Null where that needs an attempt. */
export type KnownOutcome = {
  readonly result: FinalOutcome['result'] | null;
  readonly note: string | null;
};

/** An event that is `unconfirmed` is looked at again later, and ignored after the last attempt. */
export type EventOutcome = FinalOutcome | { readonly result: 'unconfirmed'; readonly note: string };

export type EventContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/**
 * What a service does about an event. It must be safe to repeat: if the process dies during an attempt, another one follows. If it
 * throws, the event is retried.
 */
export type HandleEvent = (event: ClaimedEvent, ctx: EventContext) => Promise<EventOutcome>;
