import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { hidden, redact } from './redact.js';
import { terminalLine } from './terminal-line.js';
import { traceFields } from './tracing/index.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type LogOptions = {
  readonly service: string;
  readonly level: LogLevel;
  /** Readable lines for a terminal instead of JSON. */
  readonly pretty: boolean;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
  /** Writes each line before the call returns, for a log of few lines whose order with what is printed matters. */
  readonly sync?: boolean;
};

/** A pino logger that redacts secrets. Lines that are written inside a span have its ids. */
export function createLog({ service, level, pretty: isPretty, destination, sync = false }: LogOptions): Logger {
  const options = {
    level,
    base: { service },
    timestamp: stdTimeFunctions.isoTime,
    mixin: traceFields,
    formatters: { level: (label: string) => ({ level: label }), log: redact },
    // The fields of a child logger do not pass the formatter.
    redact: { paths: secretFields, censor: hidden },
    serializers: {}, // `redact` serializes errors, so that their fields are redacted, too.
  };
  return pino(
    options,
    isPretty ? prettyDestination(destination) : (destination ?? pino.destination({ dest: standardOutput, sync })),
  );
}

const standardOutput = 1;
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'seed',
  'token',
  'signature',
  'credential',
  'key',
  'apiKey',
  'masterKey',
];

function prettyDestination(destination: DestinationStream | undefined): DestinationStream {
  return pretty({
    ...(destination === undefined ? { destination: standardOutput } : { destination, colorize: false }),
    translateTime: 'SYS:HH:MM:ss.l',
    messageFormat: terminalLine,
    hideObject: true, // `terminalLine` has the fields already.
    sync: true,
  });
}
