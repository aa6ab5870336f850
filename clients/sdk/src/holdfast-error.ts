import type { ErrorCode } from './generated/resources.js';

/** Codes that the SDK adds to the codes of the platform. */
export type SdkErrorCode =
  /** No connection was made; the platform got nothing. */
  | 'CONNECTION_FAILED'
  /** The connection broke before the response was complete. */
  | 'CONNECTION_LOST'
  /** No response within `timeoutMs`. */
  | 'TIMEOUT'
  /** The request may have been carried out. `details.record` is the record as it was read afterwards, or null. */
  | 'OUTCOME_UNKNOWN'
  /** The response is none of this platform's; another server or another version may be at `baseUrl`. */
  | 'INVALID_RESPONSE'
  /** The account API refuses a request with 400 and names no code. */
  | 'REQUEST_REFUSED';

export type HoldfastErrorFields = {
  readonly code: ErrorCode | SdkErrorCode;
  /** The status of the response; 0 without a response. */
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** Names the request in the platform's logs. */
  readonly requestId: string;
};

/** What a call rejects with. Branch on `code`. */
export class HoldfastError extends Error implements HoldfastErrorFields {
  readonly code: ErrorCode | SdkErrorCode;
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string;

  constructor(message: string, fields: HoldfastErrorFields, options?: ErrorOptions) {
    super(message, options);
    this.name = 'HoldfastError';
    this.code = fields.code;
    this.status = fields.status;
    this.details = fields.details;
    this.requestId = fields.requestId;
  }
}

/** True for an error of the SDK, with one of the codes if any are given. Works across the ESM and the CommonJS build. */
export function isHoldfastError(error: unknown, ...codes: readonly HoldfastErrorFields['code'][]): error is HoldfastError {
  if (!(error instanceof Error) || error.name !== 'HoldfastError' || !('code' in error)) return false;
  return codes.length === 0 || codes.some((code) => code === error.code);
}

/** Compares the code of an error that is known to be one of the SDK. */
export function hasCode({ code }: HoldfastError, ...codes: readonly HoldfastErrorFields['code'][]): boolean {
  return codes.includes(code);
}
