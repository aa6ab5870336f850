import type { CaseId, MarketplaceId, UserId } from '@holdfast/kernel/ids';

/** How pay-ins are confirmed that only an event has reported. */
export type PayinConfirmation = {
  readonly readAgainMs: number;
  /** A pay-in that is not confirmed after this time is a case. */
  readonly afterMs: number;
};

/** Withdrawals are held while a pay-in of the user is booked that the payment provider has not confirmed. */
export type WithdrawalHold = {
  /** Null while the pay-in is still read at the provider. */
  readonly caseId: CaseId | null;
};

export type FindHold = (marketplaceId: MarketplaceId, userId: UserId) => Promise<WithdrawalHold | undefined>;

export type Holds = {
  readonly find: FindHold;
  /** Throws IntentPaused while withdrawals of the user are held. Called right before a payout is sent. */
  readonly assertNone: (marketplaceId: MarketplaceId, userId: UserId) => Promise<void>;
};
