import type { Payin, Payout } from '../domain/payment.js';
import { numberOfUnits } from '../domain/units.js';

/** The sandbox charges no fee, so the net amount equals the amount. Absent values are left out, as the real provider does. */
export function payinView({ id, code, status, units, description, items, ...payin }: Payin, checkoutBase: string) {
  const amount = numberOfUnits(units);
  const { failureReason, payerEmail, createdAt, updatedAt, cancelUri } = payin;
  return {
    id,
    code,
    status,
    amount,
    netAmount: amount,
    airtmFee: 0,
    description,
    items,
    ...(payerEmail === undefined ? {} : { airtmUserEmail: payerEmail }),
    ...(failureReason === undefined ? {} : { failureReason }),
    createdAt,
    updatedAt,
    /** The checkout page. */
    confirmationUri: `${checkoutBase}/checkout/${id}`,
    cancelUri,
  };
}

export function payoutView({ id, code, status, units, email, notes, internalNote, ...payout }: Payout) {
  const amount = numberOfUnits(units);
  const { reasonCode, reasonDescription, createdAt, updatedAt } = payout;
  return {
    id,
    ...(code === undefined ? {} : { code }),
    status,
    grossAmount: amount,
    amount,
    netAmount: amount,
    airtmFee: 0,
    enterpriseFee: 0,
    airtmUserEmail: email,
    notes,
    ...(internalNote === undefined ? {} : { internalNote }),
    ...(reasonCode === undefined ? {} : { reasonCode }),
    ...(reasonDescription === undefined ? {} : { reasonDescription }),
    createdAt,
    updatedAt,
  };
}
