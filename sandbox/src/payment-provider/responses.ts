import type { FaultResponses } from '../control/inject-faults.js';
import type { RouteResponse } from '../web/route.js';

/** The provider's error codes. It documents codes and texts; the statuses are the usual ones. */
const errors = {
  '415005': { status: 404, message: 'Payout not found' },
  '415010': { status: 404, message: 'User not found' },
  '415016': { status: 400, message: 'Insufficient balance' },
  '415027': { status: 409, message: 'Payout already processed' },
  '415029': { status: 409, message: 'Payin code already exists' },
  '415030': { status: 409, message: 'Payin cannot be confirmed or canceled' },
  '415031': { status: 404, message: 'Payin not found' },
  '415032': { status: 409, message: 'Payin already completed' },
  '415055': { status: 409, message: 'Payout cannot be canceled' },
  '415056': { status: 409, message: 'Payout code already exists' },
  '415901': { status: 400, message: 'The request is not valid' },
  '415904': { status: 401, message: 'The credentials are not valid' },
  '415998': { status: 429, message: 'Too many requests' },
  '415999': { status: 500, message: 'Unknown error' },
} as const;
export type PaymentErrorCode = keyof typeof errors;

/** An error of the provider's API. */
export class PaymentRefusal extends Error {
  readonly code: PaymentErrorCode;

  constructor(code: PaymentErrorCode, detail?: string) {
    super(detail ?? errors[code].message);
    this.name = 'PaymentRefusal';
    this.code = code;
  }
}

export function paymentError(code: PaymentErrorCode, message: string = errors[code].message): RouteResponse {
  return { status: errors[code].status, json: { code, message } };
}

export const paymentFaultResponses: FaultResponses = {
  failedBefore: () => paymentError('415999'),
  failedAfter: () => paymentError('415999'),
  // The real provider sends no Retry-After.
  rateLimited: () => paymentError('415998'),
};
