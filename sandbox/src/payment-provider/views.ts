import type { Payin, Payout } from '../domain/payment.js';
import { numberOfUnits } from '../domain/units.js';

/** Money comes in without a fee here, so that what was asked for is what arrives. */
export function payinView(payin: Payin, checkoutBase: string) {
  const amount = numberOfUnits(payin.units);
  return {
    id: payin.id,
    code: payin.code,
    status: payin.status,
    amount,
    netAmount: amount,
    fee: 0,
    currency: 'USD',
    description: payin.description,
    items: payin.items,
    failureReason: payin.failureReason ?? null,
    createdAt: payin.createdAt,
    updatedAt: payin.updatedAt,
    /** Where the payer confirms. */
    confirmationUri: `${checkoutBase}/checkout/${payin.id}`,
    cancelUri: payin.cancelUri ?? null,
  };
}

export function payoutView(payout: Payout) {
  const amount = numberOfUnits(payout.units);
  return {
    id: payout.id,
    code: payout.code,
    status: payout.status,
    amount,
    netAmount: amount,
    fee: 0,
    currency: 'USD',
    email: payout.email,
    notes: payout.notes,
    reasonCode: payout.reasonCode ?? null,
    reasonDescription: payout.reasonDescription ?? null,
    createdAt: payout.createdAt,
    updatedAt: payout.updatedAt,
  };
}
