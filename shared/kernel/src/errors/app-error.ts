import { errorCatalogue, type ErrorCode } from './catalogue.js';
import { invalidStateMessage } from './invalid-state.js';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * An expected error. The client sees the catalogue's message and the details; only the log has the cause. INVALID_STATE names in its
 * message what the details contain.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { readonly cause?: unknown }) {
    super(code === 'INVALID_STATE' ? invalidStateMessage(details) : errorCatalogue[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}
