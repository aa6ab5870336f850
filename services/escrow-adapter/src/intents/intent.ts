import type { Instant } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import type { MarketplaceId, MessageId, SagaRunId } from '@holdfast/kernel/ids';

/** Something that was asked for and must come to an end. */
export type NewIntent = {
  /** The id of the message that asked: asking again is asking for the same. */
  readonly id: MessageId;
  readonly kind: string;
  /** What it acts on. At most one open intent at a time acts on one thing. */
  readonly subject: string;
  /** Lower numbers go first. */
  readonly priority: number;
  readonly marketplaceId: MarketplaceId;
  readonly correlationId: string;
  /** The saga that asked, and its run. */
  readonly saga?: string;
  readonly sagaRunId?: SagaRunId;
  /** The event that has to be shown before whatever comes of it. */
  readonly afterEventId?: MessageId;
  /** The payload of the message that asked; whoever works on it parses it again. */
  readonly payload: unknown;
};

/** What a worker must remember from one run to the next. */
export type WorkerState = Readonly<Record<string, unknown>>;

/** The lease of an intent. The token counts the leases: whoever has an older one has lost the intent to another process. */
export type IntentLease = { readonly id: MessageId; readonly leaseToken: number };

/** An intent that this process holds the lease of. */
export type Intent = NewIntent &
  IntentLease & {
    readonly workerState: WorkerState;
    /** Runs that ended without an end. */
    readonly attempts: number;
    readonly createdAt: Instant;
    /** It was never leased before, so nothing can be under way. */
    readonly isFresh: boolean;
  };

/** How an intent ended: the messages that told so. Undefined while it is open. */
export type IntentReplies = { readonly replies: readonly Envelope[] | undefined };

/** Another process has taken the intent over: whatever this one still wanted to write about it is not written. */
export class LeaseLost extends Error {
  constructor(intentId: string) {
    super(`the lease of intent ${intentId} was lost`);
    this.name = 'LeaseLost';
  }
}
