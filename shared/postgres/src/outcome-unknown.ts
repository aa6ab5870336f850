import { AppError } from '@holdfast/kernel/errors';
import { codeOf } from './sql-state.js';

const retryAfterSeconds = 1;

/**
 * COMMIT was sent, but its response was lost, so the transaction may or may not be committed. Before a retry the caller must check
 * whether it was, for example by message id or by an id that was chosen before the first attempt. See ADR 0040.
 */
export class OutcomeUnknown extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** SQLSTATE classes with which the server refuses a COMMIT and rolls back: constraint, transaction state, conflict, raised by a trigger. */
const refusedClasses: ReadonlySet<string> = new Set(['23', '25', '40', 'P0']);
const completionUnknown = '40003';
const queryCanceled = '57014';

/** Whether the error of a COMMIT means for certain that nothing was committed. */
export function isNotCommitted(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || code === completionUnknown) return false;
  return code === queryCanceled || refusedClasses.has(code.slice(0, 2));
}
