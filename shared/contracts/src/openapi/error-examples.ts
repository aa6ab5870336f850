import { AppError, errorCatalogue, errorCodes, type ErrorCode, type ErrorDetails } from '@holdfast/kernel/errors';
import { statusOf, tokenNeeded, type RouteDeclaration } from '../http/index.js';

export const exampleRequestId = '7f0c1a52-3f5e-4c1b-9a53-0c2f6f0f7d11';

/** The two users of the examples. */
export const exampleUsers = {
  buyerId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
  sellerId: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z',
} as const;

/** Details that some codes carry beyond the request id. */
const detailsOf: Readonly<Partial<Record<ErrorCode, ErrorDetails>>> = {
  VALIDATION_ERROR: { validationErrors: ['currency must be one of USD, USDC, XLM'] },
  UNAUTHORIZED: { reason: 'missing' },
  INVALID_STATE: { currentStatus: 'CLOSED', allowedStatuses: ['IN_PROGRESS'] },
  RESERVE_NOT_FOUND: { requested: '100.00', reserved: '40.00', currency: 'USD' },
  PAYMENT_REFUSED: {
    topupId: 'topup_01JB2M3N4P5Q6R7S8T9V0W1X2Y',
    reason: 'The balance of the payment account is too low.',
    errorCode: '415034',
  },
  CLIENT_ORDER_REF_EXISTS: { orderId: 'ord_01JB2M3N4P5Q6R7S8T9V0W1X2Y' },
  RATE_LIMITED: { limit: 100, windowSeconds: 60, retryAfter: 17 },
};

export type ErrorBody = {
  readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };
};

export function errorExample(code: ErrorCode): ErrorBody {
  const details = { ...detailsOf[code], requestId: exampleRequestId };
  return { error: { code, message: new AppError(code, details).message, details } };
}

export const errorExamples: Readonly<Record<string, { readonly summary: string; readonly value: ErrorBody }>> =
  Object.fromEntries(errorCodes.map((code) => [code, { summary: errorCatalogue[code].message, value: errorExample(code) }]));

type NamedExample = { readonly summary: string; readonly value: object };

/** The error in the envelope of the account API. */
export function accountErrorExample(code: ErrorCode, { family, auth, errorMessages = {} }: RouteDeclaration): NamedExample {
  const status = statusOf(code, family);
  const needsToken = code === 'UNAUTHORIZED' && auth === 'account';
  const message = errorMessages[code] ?? (needsToken ? tokenNeeded : errorCatalogue[code].message);
  const errors = status === 422 ? { errors: code === 'VALIDATION_ERROR' ? ['title is required'] : [message] } : {};
  return { summary: message, value: { code: status, type: 'error', ok: false, message, data: null, ...errors } };
}
