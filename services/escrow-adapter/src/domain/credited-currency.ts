import { baseCurrency, type Currency, type CustodyAsset } from '@holdfast/kernel/money';

/** `asset`: a deposit is credited in its own currency. `base`: USDC is credited in the base currency, one to one. */
export const depositCredits = ['asset', 'base'] as const;
export type DepositCredits = (typeof depositCredits)[number];

/** The currency in which deposits of an asset are credited. */
export type CreditedCurrency = (asset: CustodyAsset) => Currency;

/**
 * Decides for the whole platform: ledger-balance credits what the deposit's message and `syncDeposits` say. Custody is still booked in the asset.
 */
export function creditedCurrency(credits: DepositCredits): CreditedCurrency {
  return (asset) => (asset === 'USDC' && credits === 'base' ? baseCurrency : asset);
}
