import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import type { Log } from '../context/index.js';
import { createRedactor } from './redact.js';

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

type LogOptions = {
  readonly service: string;
  readonly level: LogLevel;
  /** Readable lines for a terminal; JSON, one object a line, everywhere else. */
  readonly pretty: boolean;
  /** Standard output unless told otherwise. */
  readonly destination?: DestinationStream;
};

/** The log of a process. Secrets are hidden by the name of their field, at any depth. */
export function createLog({ service, level, pretty: isPretty, destination }: LogOptions): Log {
  const redact = createRedactor();
  const logger = pino(
    {
      level,
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: redact },
      serializers: {},
    },
    isPretty ? prettyDestination(destination) : (destination ?? pino.destination({ fd: standardOutput, sync: false })),
  );
  return toLog(logger);
}

/** The same log with fields that every line carries, such as the id of the request it belongs to. */
export function withFields(log: Log, fields: Readonly<Record<string, unknown>>): Log {
  return {
    debug: (more, fact) => log.debug({ ...fields, ...more }, fact),
    info: (more, fact) => log.info({ ...fields, ...more }, fact),
    warn: (more, fact) => log.warn({ ...fields, ...more }, fact),
    error: (more, fact) => log.error({ ...fields, ...more }, fact),
  };
}

const standardOutput = 1;

function prettyDestination(destination: DestinationStream | undefined): DestinationStream {
  return pretty({
    ...(destination === undefined ? { destination: standardOutput } : { destination, colorize: false }),
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    sync: true,
  });
}

function toLog(logger: Logger): Log {
  return {
    debug: (fields, fact) => logger.debug(fields, fact),
    info: (fields, fact) => logger.info(fields, fact),
    warn: (fields, fact) => logger.warn(fields, fact),
    error: (fields, fact) => logger.error(fields, fact),
  };
}
