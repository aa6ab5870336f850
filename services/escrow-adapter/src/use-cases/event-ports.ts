import type { Instant } from '@holdfast/kernel/context';
import type { EscrowId, Id, MessageId } from '@holdfast/kernel/ids';

export type ProviderEvent = {
  readonly id: Id<'whe'>;
  readonly eventId: string;
  readonly type: string;
  readonly contractId: string;
  readonly orderId?: string;
  readonly transactionHash?: string;
  readonly milestoneRef?: string;
  readonly isSigned: boolean;
  readonly receivedAt: Instant;
};

/** A signed event of an unknown type or format. Without an event id of the provider its id is the hash of the body. */
export type IgnoredEvent = { readonly eventId: string; readonly body: Uint8Array };

/**
 * A stored event with its classification by our own tables. An event about an unknown contract, a contract with an open intent
 * or a transaction of our own is done when it is stored, and may wake the intent. The others need a check on the network.
 */
export type StoredEvent = {
  readonly event: ProviderEvent;
  /** Checks so far. */
  readonly attempts: number;
} & (
  { readonly isDone: true; readonly intentId: MessageId | undefined } | { readonly isDone: false; readonly escrowId: EscrowId }
);

export type ProviderEvents = {
  /**
   * Batched with other events. Undefined where the event was stored before; a signed event replaces the same event without a
   * signature.
   */
  readonly store: (event: ProviderEvent) => Promise<StoredEvent | undefined>;
  /** False where it was stored before. */
  readonly storeIgnored: (event: IgnoredEvent, receivedAt: Instant) => Promise<boolean>;
  readonly finish: (event: ProviderEvent, result: string) => Promise<void>;
  readonly postpone: (event: ProviderEvent, reason: string) => Promise<void>;
  /** Claims due events for this process; the claim expires. */
  readonly claimDue: (countMax: number) => Promise<readonly StoredEvent[]>;
  /** Deletes old events that were handled. */
  readonly prune: (signal: AbortSignal) => Promise<void>;
};
