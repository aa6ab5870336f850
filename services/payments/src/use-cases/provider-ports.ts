import type { MarketplaceId, TopupId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';

/** The payment provider has refused a request for good. Any other error means that its outcome is unknown. */
export class ProviderRefused extends Error {
  readonly code: string | null;

  constructor(code: string | null, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ProviderRefused';
    this.code = code;
  }
}

export type ProviderUser = {
  readonly id: string;
  readonly isActive: boolean;
  readonly isVerified: boolean;
};

export type NewPayin = {
  readonly code: TopupId;
  readonly amount: Money;
  readonly description: string;
  readonly confirmationUri: string;
  readonly cancelUri: string;
};

export type NewPayout = {
  readonly code: string;
  readonly email: string;
  readonly amount: Money;
  readonly notes: string;
  readonly internalNote: string | null;
};

/** A pay-in or payout that has a final status, for reconciliation. */
export type StatementItem = {
  readonly providerId: string;
  readonly code: string | null;
  readonly amount: Money;
  /** What the provider has charged; taken out of a pay-in, and added to a payout. */
  readonly feeUnits: bigint;
};

/** A payment that has a final status, and an amount that cannot be read. */
export type UnreadableItem = Pick<StatementItem, 'providerId' | 'code'> & { readonly about: 'payin' | 'payout' };

export type Statement = {
  readonly payins: readonly StatementItem[];
  readonly payouts: readonly StatementItem[];
  readonly unreadable: readonly UnreadableItem[];
  /** Payouts that have left the balance and are not completed. */
  readonly pendingPayouts: readonly StatementItem[];
};

/** Marketplaces take turns in the call budget. */
export type ProviderCall = { readonly marketplaceId?: MarketplaceId; readonly signal?: AbortSignal };

/**
 * The payment provider. A refusal for good is ProviderRefused; after any other error the outcome is unknown, and the caller looks it
 * up by code before it tries again.
 */
export type PaymentProvider = {
  /** Undefined if the provider does not know the e-mail address. */
  readonly findUser: (email: string, call?: ProviderCall) => Promise<ProviderUser | undefined>;
  readonly createPayin: (payin: NewPayin, call?: ProviderCall) => Promise<PayinUpdate>;
  readonly findPayin: (id: string, call?: ProviderCall) => Promise<PayinUpdate | undefined>;
  readonly findPayinByCode: (code: string, call?: ProviderCall) => Promise<PayinUpdate | undefined>;
  readonly cancelPayin: (id: string, call?: ProviderCall) => Promise<void>;
  /** Nothing moves before the payout is committed. */
  readonly createPayout: (payout: NewPayout, call?: ProviderCall) => Promise<PayoutUpdate>;
  readonly commitPayout: (id: string, call?: ProviderCall) => Promise<void>;
  readonly findPayout: (id: string, call?: ProviderCall) => Promise<PayoutUpdate | undefined>;
  readonly findPayoutByCode: (code: string, call?: ProviderCall) => Promise<PayoutUpdate | undefined>;
  readonly cancelPayout: (id: string, call?: ProviderCall) => Promise<void>;
  /** The units of the platform's own balance. */
  readonly balance: (signal?: AbortSignal) => Promise<bigint>;
  /** All confirmed pay-ins and completed payouts. */
  readonly statement: (signal?: AbortSignal) => Promise<Statement>;
  readonly close: () => Promise<void>;
};
