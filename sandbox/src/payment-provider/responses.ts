import type { FaultResponses } from '../control/inject-faults.js';
import type { RouteResponse } from '../web/route.js';

/** The provider's error codes. */
const errors = {
  '400000': { status: 400, message: 'The request is not valid' },
  '401000': { status: 401, message: 'The credentials are not valid' },
  '404001': { status: 404, message: 'User not found' },
  '415004': { status: 404, message: 'Payin not found' },
  '415005': { status: 404, message: 'Payout not found' },
  '415016': { status: 400, message: 'Insufficient balance' },
  '415027': { status: 409, message: 'Already processed' },
  '415029': { status: 409, message: 'Payin code already exists' },
  '415056': { status: 409, message: 'Payout code already exists' },
  '429000': { status: 429, message: 'Too many requests' },
  '500000': { status: 500, message: 'Internal error' },
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
  failedBefore: () => paymentError('500000'),
  failedAfter: () => paymentError('500000'),
  rateLimited: () => ({ ...paymentError('429000'), headers: { 'Retry-After': '1' } }),
};
