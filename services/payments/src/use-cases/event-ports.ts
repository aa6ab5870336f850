import type { Context, Instant, Log } from '@holdfast/kernel/context';
import type { Id, NewId } from '@holdfast/kernel/ids';
import type { EventContent, PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';
import type { UpdateResult } from './apply-payin-update.js';

/** `applied` also if nothing was new; `ignored` if nothing of ours is meant; `failed` after the last attempt. */
export const eventResults = ['applied', 'ignored', 'failed'] as const;
export type EventResult = (typeof eventResults)[number];

export type ProviderEvent = {
  readonly id: Id<'whe'>;
  /** The id that the provider assigned. */
  readonly providerEventId: string;
  readonly eventType: string;
  readonly body: Uint8Array;
  readonly receivedAt: Instant;
};

export type StoredEvent = ProviderEvent & {
  /** Attempts that have begun, the current one included. */
  readonly attempts: number;
};

export type ProviderEvents = {
  /**
   * Commits the event, and returns false if it was stored before. With a result it is done; otherwise it is claimed by this process
   * for its first attempt.
   */
  readonly store: (event: ProviderEvent, result: EventResult | undefined) => Promise<boolean>;
  readonly finish: (id: ProviderEvent['id'], result: EventResult) => Promise<void>;
  /** The next attempt is later with each one before. */
  readonly postpone: (id: ProviderEvent['id']) => Promise<void>;
  /** Begins the next attempt of due events, and of those whose process has died. */
  readonly claimDue: (countMax: number) => Promise<readonly StoredEvent[]>;
  /** Deletes handled events after the retention. */
  readonly prune: (signal: AbortSignal) => Promise<void>;
};

export type EventContext = Pick<Context, 'requestId' | 'at' | 'log'>;

export type EventDeps = {
  readonly events: ProviderEvents;
  readonly readEvent: (body: Uint8Array) => EventContent;
  readonly applyPayin: (update: PayinUpdate, ctx: EventContext) => Promise<UpdateResult>;
  readonly applyPayout: (update: PayoutUpdate, ctx: EventContext) => Promise<UpdateResult>;
  /** Counts events by what became of them. */
  readonly onEvent: (result: EventResult | 'duplicate') => void;
  /** Measures the time from the receipt of an event about a payment of ours to its last attempt. */
  readonly onLag: (seconds: number) => void;
  readonly clock: { readonly now: () => Instant };
  readonly newId: NewId;
  readonly log: Log;
};
