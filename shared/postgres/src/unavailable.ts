import { AppError, isAppError } from '@holdfast/kernel/errors';
import { OutcomeUnknown } from './outcome-unknown.js';
import { codeOf } from './sql-state.js';

const retryAfterSeconds = 2;

const networkCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Shut down, crashed, starting up, out of connections, and a statement that ran into its time limit. */
const serverCodes: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300', '57014']);
const connectionExceptionClass = '08';
const sqlStateLength = 5;

/** The driver and the mapper give these no code, and the server gives the last one a code that means other things too. */
const unavailableMessages: readonly RegExp[] = [
  /^timeout exceeded when trying to connect/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Query read timeout/,
  /^QueryRunner was already released|^Query runner already released/i,
  /^Cannot use a pool after calling end/,
  /is not currently accepting connections$/,
];

const causeDepthMax = 5;

/** Whether the database could not be asked, as opposed to having refused: the same call may work a little later. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof OutcomeUnknown) return false;
  let current = error;
  for (let depth = 0; depth < causeDepthMax && isObject(current); depth += 1) {
    if (indicatesUnavailable(current)) return true;
    current = current['driverError'] ?? current['cause'];
  }
  return false;
}

/** The error as callers should see it: SERVICE_UNAVAILABLE when the database could not be asked, else as it was. */
export function toAppError(error: unknown): unknown {
  if (isAppError(error)) return error;
  return isUnavailable(error) ? new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause: error }) : error;
}

function indicatesUnavailable(error: Fields): boolean {
  const code = codeOf(error);
  if (code !== undefined && (networkCodes.has(code) || serverCodes.has(code) || isConnectionException(code))) return true;
  return unavailableMessages.some((pattern) => pattern.test(String(error['message'])));
}

function isConnectionException(code: string): boolean {
  return code.length === sqlStateLength && code.startsWith(connectionExceptionClass);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
