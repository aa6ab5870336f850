import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, OrderId } from '@holdfast/kernel/ids';
import type { HeldReason, TimerKind } from '../domain/timers.js';

/** A timer that was claimed. Its row is only a wake-up: the locked order says whether it is due. */
export type ClaimedTimer = {
  readonly id: string;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly kind: TimerKind;
  readonly subject: string;
  /** How often it was claimed before, without an end. */
  readonly attempts: number;
  /** When it is claimed again unless the order no longer wants it. */
  readonly retryAt: Instant;
};

export type HeldTimer = { readonly id: string; readonly heldReason: HeldReason; readonly dueAt: Instant };
