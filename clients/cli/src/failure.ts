import { CommanderError, InvalidArgumentError } from 'commander';
import { explain } from '@holdfast/all-in-one/commands';
import { StreamRefused } from '@holdfast/http/event-stream';

export const exitCodes = { done: 0, failed: 1, usage: 2 } as const;

export type Failure = {
  readonly exitCode: number;
  /** Empty if everything has been printed already. */
  readonly text: string;
  /** What `--json` prints. */
  readonly error: Readonly<Record<string, unknown>>;
};

/** A refusal of the platform, as the SDK reports it. */
export type Refusal = {
  readonly code: string;
  readonly message: string;
  readonly status: number;
  readonly details: unknown;
  readonly requestId: string | undefined;
};

/** What a person can do about a refusal, by its code. */
const advice: Readonly<Record<string, string>> = {
  UNAUTHORIZED:
    'The key is wrong or was revoked: "npm run key" prints the key of this folder; give another one with --key or HOLDFAST_KEY.',
  INSUFFICIENT_SCOPE: 'Use a key with the scope: "holdfast keys create --name <name> --scopes read,write" makes one.',
  CONNECTION_FAILED: 'Start the platform with "npm start", or correct --api (HOLDFAST_API).',
  OUTCOME_UNKNOWN: 'The request may have had its effect: look at the record before you repeat the command.',
  PROVIDER_TIMEOUT: 'The operation continues: look at the record before you repeat the command.',
  RATE_LIMITED: 'Wait a moment, then repeat the command.',
  SERVICE_UNAVAILABLE: 'Try again in a moment; "holdfast doctor" says what is wrong.',
  PLATFORM_STOPPED: '"holdfast emergency status" says why.',
  INVALID_STATE: 'Nothing was changed: "get" shows the state of the record.',
  VALIDATION_ERROR: 'Nothing was changed: "--help" shows the options of the command.',
};

/** The text, the exit code and the JSON of what went wrong. */
export function toFailure(error: unknown): Failure {
  if (error instanceof CommanderError) return ofUsage(error);
  const refusal = refusalOf(error);
  if (refusal !== undefined) return ofRefusal(refusal);
  const text = error instanceof StreamRefused ? error.message : explain(error);
  return { exitCode: exitCodes.failed, text, error: { code: 'FAILED', message: text } };
}

/** Commander has printed it, unless a command has refused a value by itself. Help ends with the exit code 0, everything else is a wrong use. */
function ofUsage(error: CommanderError): Failure {
  const { exitCode, code, message } = error;
  const text = error instanceof InvalidArgumentError ? `error: ${message}` : '';
  return { exitCode: exitCode === 0 ? exitCodes.done : exitCodes.usage, text, error: { code, message } };
}

function ofRefusal(refusal: Refusal): Failure {
  const { code, message, details, requestId } = refusal;
  const known = advice[code] ?? (code.endsWith('_NOT_FOUND') || code === 'NOT_FOUND' ? notFound : undefined);
  const lines = [
    `${code}: ${message}`,
    ...shownDetails(details),
    ...(requestId === undefined ? [] : [`  request   ${requestId}`]),
    ...(known === undefined ? [] : [known]),
  ];
  return { exitCode: exitCodes.failed, text: lines.join('\n'), error: { ...refusal } };
}

const notFound = 'The marketplace of this key has no such record: "list" shows those there are.';

/** The request id has its own line. */
function shownDetails(details: unknown): readonly string[] {
  const shown = Object.entries(typeof details === 'object' && details !== null ? details : {}).filter(
    ([name]) => name !== 'requestId',
  );
  return shown.length === 0 ? [] : [`  details   ${JSON.stringify(Object.fromEntries(shown))}`];
}

/** By its fields: the error of the SDK is loaded only by commands that use it. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (!(error instanceof Error) || error.name !== 'HoldfastError' || !('code' in error)) return undefined;
  const field = (name: string): unknown => Object.getOwnPropertyDescriptor(error, name)?.value;
  const [status, requestId] = [field('status'), field('requestId')];
  return {
    code: String(error.code),
    message: error.message,
    status: typeof status === 'number' ? status : 0,
    details: field('details') ?? {},
    requestId: typeof requestId === 'string' ? requestId : undefined,
  };
}
