import type { Log } from '@holdfast/kernel/context';

export type LogLine = { readonly level: Level; readonly fields: Readonly<Record<string, unknown>>; readonly fact: string };
type Level = 'debug' | 'info' | 'warn' | 'error';
export type CollectingLog = Log & { readonly lines: readonly LogLine[] };

const ignore = (): void => undefined;

export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silentLog };

/** Records every line, for tests of log messages. */
export function collectingLog(): CollectingLog {
  const lines: LogLine[] = [];
  return { ...logInto(lines, {}), lines };
}

function logInto(lines: LogLine[], bindings: LogLine['fields']): Log {
  const at = (level: Level) => (fields: LogLine['fields'], fact: string) =>
    void lines.push({ level, fields: { ...bindings, ...fields }, fact });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => logInto(lines, { ...bindings, ...fields }),
  };
}
