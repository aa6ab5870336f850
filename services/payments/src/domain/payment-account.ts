import type { Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';

/** The account of a user at the payment provider. Payouts go to its e-mail address. */
export type PaymentAccount = {
  readonly userId: UserId;
  readonly marketplaceId: MarketplaceId;
  readonly paymentAccountUserId: string;
  readonly email: string;
  readonly linkedAt: Instant;
};
