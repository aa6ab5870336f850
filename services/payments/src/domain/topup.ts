import type { TopupStatus } from '@holdfast/contracts/http';
import type { Instant } from '@holdfast/kernel/context';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Aggregate } from './aggregate.js';

export type CancelRequest = { readonly canceledBy: string; readonly reason: string | null };

export type Topup = Aggregate & {
  readonly id: TopupId;
  readonly userId: UserId;
  readonly amount: Money;
  readonly status: TopupStatus;
  readonly description: string | null;
  readonly returnUrl: string | null;
  readonly cancelUrl: string | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly providerPayinId: string | null;
  readonly confirmationUri: string | null;
  readonly expiresAt: Instant;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  /** Who asked to cancel it, until the payment provider has canceled the pay-in. */
  readonly cancelRequest: CancelRequest | null;
  /** When the payment provider is asked for the status; null in a final state. */
  readonly nextPollAt: Instant | null;
  readonly polls: number;
};
