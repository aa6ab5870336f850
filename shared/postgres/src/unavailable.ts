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

/** Shut down, crashed, starting up, statement timeout. */
const serverCodes: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '57014']);
const connectionExceptionClass = '08';
/** Disk full, out of memory, too many connections, a configured limit. */
const insufficientResourcesClass = '53';
/** An error of the operating system, an error when reading or writing a file. */
const systemErrorCodes: ReadonlySet<string> = new Set(['58000', '58030']);
const sqlStateLength = 5;

/** Errors of driver and TypeORM without a code; the last one is an error of the server whose code has other meanings, too. */
const unavailableMessages: readonly RegExp[] = [
  /^timeout exceeded when trying to connect/,
  /^timeout expired$/,
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed/,
  /^Query read timeout/,
  /^QueryRunner was already released|^Query runner already released/i,
  /^Cannot use a pool after calling end/,
  /is not currently accepting connections$/,
];

const causeDepthMax = 5;

/** Whether the database was unreachable or out of resources, in contrast to an error of the statement. A later call may succeed. */
export function isUnavailable(error: unknown): boolean {
  return !(error instanceof OutcomeUnknown) && isCausedBy(error, indicatesUnavailable);
}

/** Whether the database responds but lacks disk space, memory or connections. Every statement may fail then, whatever it does. */
export function isOutOfResources(error: unknown): boolean {
  return !(error instanceof OutcomeUnknown) && isCausedBy(error, indicatesOutOfResources);
}

function isCausedBy(error: unknown, indicates: (cause: Fields) => boolean): boolean {
  let current = error;
  for (let depth = 0; depth < causeDepthMax && isObject(current); depth += 1) {
    if (indicates(current)) return true;
    current = current['driverError'] ?? current['cause'];
  }
  return false;
}

/** SERVICE_UNAVAILABLE if the database was unavailable, else the error itself. */
export function toAppError(error: unknown): unknown {
  if (isAppError(error)) return error;
  return isUnavailable(error) ? new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds }, { cause: error }) : error;
}

function indicatesUnavailable(error: Fields): boolean {
  const code = codeOf(error);
  if (code !== undefined && (networkCodes.has(code) || serverCodes.has(code) || isOfClass(code, connectionExceptionClass)))
    return true;
  if (indicatesOutOfResources(error)) return true;
  return unavailableMessages.some((pattern) => pattern.test(String(error['message'])));
}

function indicatesOutOfResources(error: Fields): boolean {
  const code = codeOf(error);
  return code !== undefined && (isOfClass(code, insufficientResourcesClass) || systemErrorCodes.has(code));
}

function isOfClass(code: string, sqlStateClass: string): boolean {
  return code.length === sqlStateLength && code.startsWith(sqlStateClass);
}

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
