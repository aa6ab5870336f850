import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/context';
import type { TopupId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Actor, Aggregate } from '@holdfast/sagas';
import type { TopupStatus } from './topup-states.js';

export type CancelRequest = { readonly actor: Actor; readonly canceledBy: string; readonly reason: string | null };

export type Topup = Aggregate<'top-up'> & {
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
  /** In the time of the marketplace. */
  readonly expiresAt: Instant;
  readonly failureReason: string | null;
  readonly errorCode: string | null;
  /** The person who requested to cancel it, until the payment provider has canceled the pay-in. */
  readonly cancelRequest: CancelRequest | null;
  /** Whether a reconciliation case has its money. It is not credited, and no second case is opened. */
  readonly isInCase: boolean;
  /** When the status is read at the payment provider; null in a final state. */
  readonly nextPollAt: Instant | null;
  readonly polls: number;
  /** Since when it is credited on the word of an event alone; null if the payment provider has confirmed it, or need not. */
  readonly unconfirmedSince: Instant | null;
  /** When an unconfirmed pay-in is read at the payment provider. */
  readonly nextConfirmationAt: Instant | null;
};

export type NewTopup = Pick<
  Topup,
  'id' | 'marketplaceId' | 'userId' | 'amount' | 'description' | 'returnUrl' | 'cancelUrl' | 'metadata'
> & {
  /** In the time of the marketplace. */
  readonly now: Instant;
};

/** The payment provider cancels a pay-in that was not confirmed after this time. */
const expiresAfterMs = 15 * 24 * 3_600_000;

export function newTopup({ now, ...given }: NewTopup, at: Instant): Topup {
  return {
    ...given,
    status: 'TOPUP_CREATED',
    providerPayinId: null,
    confirmationUri: null,
    expiresAt: toInstant(toEpochMs(now) + expiresAfterMs),
    failureReason: null,
    errorCode: null,
    cancelRequest: null,
    isInCase: false,
    nextPollAt: null,
    polls: 0,
    unconfirmedSince: null,
    nextConfirmationAt: null,
    activeRun: null,
    version: 0,
    lastEventId: null,
    createdAt: at,
    updatedAt: at,
  };
}

export function isFinal({ status }: Pick<Topup, 'status'>): boolean {
  return status === 'TOPUP_SUCCEEDED' || status === 'TOPUP_FAILED' || status === 'TOPUP_CANCELED';
}

const expiry: CancelRequest = { actor: { type: 'system', id: 'payments' }, canceledBy: 'system', reason: 'expired' };

/** Why the top-up must be canceled, if it must: a caller requested it, or it has expired. */
export function cancellationOf({ cancelRequest, expiresAt }: Topup, at: Instant): CancelRequest | undefined {
  if (cancelRequest !== null) return cancelRequest;
  return at >= expiresAt ? expiry : undefined;
}
