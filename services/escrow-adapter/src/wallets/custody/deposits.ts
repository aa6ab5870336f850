import type { Currency, CustodyAsset } from '@holdfast/kernel/money';

/** A deposit whose message ledger-balance has not acknowledged yet. Small deposits that are credited together are one. */
export type UncreditedDeposit = {
  readonly asset: CustodyAsset;
  readonly currency: Currency;
  readonly amount: string;
  readonly operationId: string;
  readonly transactionHash: string;
};
