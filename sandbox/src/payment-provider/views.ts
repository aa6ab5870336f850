import type { Payin, Payout } from '../domain/payment.js';
import { numberOfUnits } from '../domain/units.js';

/** The sandbox charges no fee, so the net amount equals the amount. */
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
    /** The checkout page. */
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
