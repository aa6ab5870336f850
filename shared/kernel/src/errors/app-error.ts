import { errorCatalogue, type ErrorCode } from './catalogue.js';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/** An expected error. The client sees the catalogue's message and the details; only the log has the cause. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options?: { readonly cause?: unknown }) {
    super(errorCatalogue[code].message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}
