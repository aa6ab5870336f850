type Entry = { readonly status: number; readonly message: string };

/**
 * Every error that a client can get, with its HTTP status and message. Only the status of INVALID_STATE depends on the route:
 * order, escrow, resolution and dispute routes respond with 400.
 */
export const errorCatalogue = {
  VALIDATION_ERROR: { status: 400, message: 'The request has invalid, missing or unknown fields.' },
  INVALID_AMOUNT: { status: 400, message: 'The amount must be a decimal string above zero with a point, such as "12.50".' },
  INVALID_PUBLIC_KEY: { status: 400, message: 'Invalid public key format.' },
  RESERVATION_EXCEEDED: { status: 400, message: 'The amount is higher than the reserved amount.' },
  INVALID_RESERVED_DEDUCTION: { status: 400, message: 'The amount is higher than the reserved funds that would pay it.' },
  ESCROW_FUNDING_FAILED: { status: 400, message: 'The escrow could not be funded. The funds are reserved again.' },
  UNAUTHORIZED: { status: 401, message: 'A valid API key is needed: send it as "Authorization: Bearer <key>".' },
  WEBHOOK_SIGNATURE_INVALID: { status: 401, message: 'The webhook signature does not match.' },
  INSUFFICIENT_SCOPE: { status: 403, message: 'This credential lacks the scope that this operation needs.' },
  NOT_FOUND: { status: 404, message: 'This path does not exist.' },
  USER_NOT_FOUND: { status: 404, message: 'This user does not exist.' },
  ORDER_NOT_FOUND: { status: 404, message: 'This order does not exist.' },
  PROJECT_NOT_FOUND: { status: 404, message: 'This project does not exist.' },
  ESCROW_NOT_FOUND: { status: 404, message: 'This escrow does not exist.' },
  DISPUTE_NOT_FOUND: { status: 404, message: 'This dispute does not exist.' },
  MILESTONE_NOT_FOUND: { status: 404, message: 'The order does not have this milestone.' },
  TOPUP_NOT_FOUND: { status: 404, message: 'This top-up does not exist.' },
  WITHDRAWAL_NOT_FOUND: { status: 404, message: 'This withdrawal does not exist.' },
  MARKETPLACE_NOT_FOUND: { status: 404, message: 'This marketplace does not exist.' },
  API_KEY_NOT_FOUND: { status: 404, message: 'This API key does not exist.' },
  WALLET_NOT_FOUND: { status: 404, message: 'This wallet does not exist.' },
  CASE_NOT_FOUND: { status: 404, message: 'This reconciliation case does not exist.' },
  WEBHOOK_ENDPOINT_NOT_FOUND: { status: 404, message: 'This webhook endpoint does not exist.' },
  WEBHOOK_DELIVERY_NOT_FOUND: { status: 404, message: 'This webhook delivery does not exist.' },
  EVENT_NOT_FOUND: { status: 404, message: 'This event does not exist, or it is older than the history.' },
  RESERVATION_NOT_FOUND: { status: 404, message: 'The order has no active reservations.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path exists, but not with this method.' },
  INVALID_STATE: { status: 409, message: 'The current state does not allow this operation.' },
  DISPUTE_ALREADY_OPEN: { status: 409, message: 'An unresolved dispute blocks this operation.' },
  ESCROW_ALREADY_EXISTS: { status: 409, message: 'The order already has an escrow.' },
  IDEMPOTENCY_KEY_REUSED: { status: 409, message: 'This Idempotency-Key was used with a different request.' },
  IDEMPOTENCY_KEY_IN_PROGRESS: { status: 409, message: 'The first request with this Idempotency-Key is still running.' },
  REFERENCE_EXISTS: { status: 409, message: 'This reference was used for this user with a different operation.' },
  CLIENT_ORDER_REF_EXISTS: { status: 409, message: 'An order with this client reference exists already.' },
  PAYLOAD_TOO_LARGE: { status: 413, message: 'The body is larger than 256 KiB.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: 'Send JSON with "Content-Type: application/json".' },
  INSUFFICIENT_FUNDS: { status: 422, message: 'The available balance is too low.' },
  RESERVE_NOT_FOUND: { status: 422, message: 'The reserved balance is lower than the order amount.' },
  PAYMENT_ACCOUNT_NOT_LINKED: {
    status: 422,
    message: 'The user has no linked payment account: link one with POST /users/{id}/payment-account/link.',
  },
  PAYMENT_ACCOUNT_INVALID: { status: 422, message: 'The payment provider does not accept this account.' },
  PAYMENT_REFUSED: { status: 422, message: 'The payment provider has refused this payment. The details name the reason.' },
  USER_NOT_ACTIVE: { status: 422, message: 'The user is suspended.' },
  LIMIT_EXCEEDED: { status: 422, message: 'The amount is outside the limits.' },
  RATE_LIMITED: { status: 429, message: 'You have sent too many requests. Try again later.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The headers are larger than 16 KiB, or there are more than 1,000.' },
  INTERNAL_ERROR: { status: 500, message: 'Something went wrong on our side. The request id helps us find it.' },
  VERIFICATION_FAILED: { status: 500, message: 'The balance could not be compared with the ledger network.' },
  SERVICE_UNAVAILABLE: { status: 503, message: 'This part of the service is not available right now. Try again shortly.' },
  PLATFORM_STOPPED: {
    status: 503,
    message:
      'The platform is stopped: it signs nothing and pays nothing out until an operator resumes it. Your request has changed nothing; try again later.',
  },
  PROVIDER_TIMEOUT: { status: 504, message: 'An external provider did not respond in time. The operation continues.' },
} as const satisfies Record<string, Entry>;

export type ErrorCode = keyof typeof errorCatalogue;
// eslint-disable-next-line holdfast/no-type-assertion -- Object.keys is typed as string[]
export const errorCodes = Object.keys(errorCatalogue) as readonly ErrorCode[];
