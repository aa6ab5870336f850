import type { Payin, Payout } from '../domain/payment.js';
import { numberOfUnits } from '../domain/units.js';

/** The fee is taken out of a payin. Absent values are left out, as the real provider does. */
export function payinView({ id, code, status, units, feeUnits, description, items, ...payin }: Payin, checkoutBase: string) {
  const amount = numberOfUnits(units);
  const { failureReason, payerEmail, createdAt, updatedAt, cancelUri } = payin;
  return {
    id,
    code,
    status,
    amount,
    netAmount: numberOfUnits(units - feeUnits),
    airtmFee: numberOfUnits(feeUnits),
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

/** The fee is charged beside a payout, whose receiver gets the whole amount. */
export function payoutView({ id, code, status, units, feeUnits, email, notes, internalNote, ...payout }: Payout) {
  const amount = numberOfUnits(units);
  const { reasonCode, reasonDescription, createdAt, updatedAt } = payout;
  return {
    id,
    ...(code === undefined ? {} : { code }),
    status,
    grossAmount: numberOfUnits(units + feeUnits),
    amount,
    netAmount: amount,
    airtmFee: numberOfUnits(feeUnits),
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
