import type { Money } from '@holdfast/kernel/money';

/**
 * What the payment provider says about a pay-in, in our words. `open`: it waits for the user, or its status is not documented.
 */
export const payinOutcomes = ['open', 'processing', 'succeeded', 'failed', 'canceled'] as const;
export type PayinOutcome = (typeof payinOutcomes)[number];

/** `created`: nothing moves before it is committed. `pending` also stands for statuses that are not documented. */
export const payoutOutcomes = ['created', 'pending', 'user-action', 'completed', 'failed', 'canceled'] as const;
export type PayoutOutcome = (typeof payoutOutcomes)[number];

export type ProviderReason = { readonly code: string | null; readonly text: string };

type Update = {
  readonly providerId: string;
  /** Our id, if the provider names it. */
  readonly code: string | null;
  /** Undefined where an event does not name it. */
  readonly amount: Money | undefined;
  readonly reason: ProviderReason | null;
  /** The status, if the provider does not document it: its meaning is unknown, so a person has to look. */
  readonly undocumentedStatus?: string;
};

/** Learned from a response, an event or a poll; all of them are applied in the same way. */
export type PayinUpdate = Update & {
  readonly outcome: PayinOutcome;
  readonly confirmationUri?: string;
  /** Only an event says so, which a stolen secret could sign: the pay-in is read at the provider once it is credited. */
  readonly needsConfirmation?: boolean;
  /** The e-mail address of the account that has paid, if the provider names it. */
  readonly payerEmail?: string;
};
export type PayoutUpdate = Update & { readonly outcome: PayoutOutcome; readonly actionUrl?: string };

/** What an event says about a pay-in or payout. */
export type EventUpdate =
  { readonly about: 'payin'; readonly update: PayinUpdate } | { readonly about: 'payout'; readonly update: PayoutUpdate };

/** An event as the provider has written it. Without an update it is unknown to us, and ignored. */
export type EventContent = {
  /** Null where the event does not name it. */
  readonly eventId: string | null;
  readonly type: string;
  readonly update: EventUpdate | undefined;
};
