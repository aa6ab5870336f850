import { AppError } from '@holdfast/kernel/errors';
import { codeOf } from './sql-state.js';

const retryAfterSeconds = 1;

/**
 * The COMMIT was sent, and no response says whether it happened. Whoever repeats the work must look first whether it was done:
 * by the cause, the message id or the id that was chosen before the first try.
 */
export class OutcomeUnknown extends AppError {
  constructor(cause: unknown) {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** Classes of SQLSTATE with which the server refuses a COMMIT and rolls back: constraint, transaction state, conflict, raised by a trigger. */
const refusedClasses: ReadonlySet<string> = new Set(['23', '25', '40', 'P0']);
const completionUnknown = '40003';
const queryCanceled = '57014';

/** Whether the response to a COMMIT says for certain that nothing was committed. */
export function isNotCommitted(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined || code === completionUnknown) return false;
  return code === queryCanceled || refusedClasses.has(code.slice(0, 2));
}
