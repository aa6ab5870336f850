import type { Log } from '../../context/index.js';

export type LogLine = { readonly level: keyof Log; readonly fields: Readonly<Record<string, unknown>>; readonly fact: string };
export type CollectingLog = Log & { readonly lines: readonly LogLine[] };

const ignore = (): void => undefined;

export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };

/** Keeps every line, for tests about what is told. */
export function collectingLog(): CollectingLog {
  const lines: LogLine[] = [];
  const at = (level: keyof Log) => (fields: Readonly<Record<string, unknown>>, fact: string) =>
    void lines.push({ level, fields, fact });
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), lines };
}
