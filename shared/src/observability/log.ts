import { pino, type DestinationStream, type Logger } from 'pino';
import pretty from 'pino-pretty';
import { systemClock, type Log } from '../context/index.js';
import { createLineWriter } from './plain-line.js';
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
  const redactor = createRedactor();
  const timestamp = timestamps();
  const stream = isPretty ? prettyDestination(destination) : (destination ?? gatheringDestination());
  const logger = pino(
    {
      level,
      base: { service },
      timestamp,
      formatters: { level: (label) => ({ level: label }), log: redactor.redact },
      serializers: {},
    },
    stream,
  );
  if (isPretty) return toLog(logger);
  const writeInfo = createLineWriter({ level: 'info', service, timestamp, stream, isSensitive: redactor.isSensitive });
  const isInfoOn = logger.isLevelEnabled('info');
  const info: Log['info'] = (fields, fact) => {
    if (isInfoOn && !writeInfo(fields, fact)) logger.info(fields, fact);
  };
  return { ...toLog(logger), info };
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
/** Lines gather up to this much or this long before they are written: a write for every line costs more than the line. */
const gatheredBytes = 8 * 1024;
const gatheredMs = 100;

/** Written at the exit of the process at the latest; pino sees to that. */
function gatheringDestination(): DestinationStream {
  return pino.destination({ fd: standardOutput, sync: false, minLength: gatheredBytes, periodicFlush: gatheredMs });
}

/** The part that pino puts in front of the fields. Its text is made once in a millisecond. */
function timestamps(): () => string {
  const { epochMs } = systemClock();
  let lastMs = -1;
  let text = '';
  return () => {
    const ms = epochMs();
    if (ms !== lastMs) [lastMs, text] = [ms, `,"time":"${new Date(ms).toISOString()}"`];
    return text;
  };
}

function prettyDestination(destination: DestinationStream | undefined): DestinationStream {
  return pretty({
    ...(destination === undefined ? { destination: standardOutput } : { destination, colorize: false }),
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
    sync: true,
  });
}

/** What went wrong is not kept back: the process may not live to write it later. */
function toLog(logger: Logger): Log {
  return {
    debug: (fields, fact) => logger.debug(fields, fact),
    info: (fields, fact) => logger.info(fields, fact),
    warn: (fields, fact) => {
      logger.warn(fields, fact);
      logger.flush();
    },
    error: (fields, fact) => {
      logger.error(fields, fact);
      logger.flush();
    },
  };
}
