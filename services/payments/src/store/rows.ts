import { money, type Currency, type Money } from '@holdfast/kernel/money';

/** The lock of a row that the transaction changes. */
export const forUpdate = { mode: 'pessimistic_write' } as const;

type AmountColumns = { readonly amountUnits: bigint; readonly currency: Currency };

/** A row with its amount as one value. */
export function fromRow<Row extends AmountColumns>({ amountUnits, currency, ...row }: Row) {
  return { ...row, amount: money(amountUnits, currency) };
}

export function toRow<Item extends { readonly amount: Money }>({ amount, ...item }: Item) {
  return { ...item, amountUnits: amount.units, currency: amount.currency };
}
