import { errorCatalogue, type ErrorCode } from './catalogue.js';
import { invalidStateMessage } from './invalid-state.js';

export type ErrorDetails = Readonly<Record<string, unknown>>;

type Options = {
  readonly cause?: unknown;
  /** Says more than the catalogue's message, in one sentence for the client. */
  readonly message?: string;
};

/** An expected error. The client sees the message and the details; only the log has the cause. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, { message = messageOf(code, details), ...options }: Options = {}) {
    super(message, options);
    this.name = 'AppError';
    this.code = code;
    this.details = details;
  }
}

export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** INVALID_STATE names what the details contain; every other code has one message. */
function messageOf(code: ErrorCode, details: ErrorDetails): string {
  return code === 'INVALID_STATE' ? invalidStateMessage(details) : errorCatalogue[code].message;
}
