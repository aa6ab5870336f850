import type { DestinationStream } from 'pino';
import type { Log } from '../context/index.js';
import { isPlainValue, type IsSensitive } from './redact.js';

type LineOptions = {
  readonly level: keyof Log;
  readonly service: string;
  /** The time as pino wants it: `,"time":"…"`. */
  readonly timestamp: () => string;
  readonly stream: DestinationStream;
  readonly isSensitive: IsSensitive;
};

/**
 * Writes a line of words and numbers as the logger would, at a fraction of the cost: the line of every request is one. False
 * where a field is anything else, or has something to hide, and nothing was written.
 */
export function createLineWriter({ level, service, timestamp, stream, isSensitive }: LineOptions) {
  const begin = `{"level":"${level}"`;
  const origin = `,"service":${JSON.stringify(service)}`;
  return (fields: Readonly<Record<string, unknown>>, fact: string): boolean => {
    let line = begin + timestamp() + origin;
    for (const name in fields) {
      const value = fields[name];
      if (isSensitive(name) || !isPlainValue(value)) return false;
      if (value !== undefined) line += `,"${escaped(name)}":${typeof value === 'string' ? `"${escaped(value)}"` : jsonOf(value)}`;
    }
    stream.write(`${line},"msg":"${escaped(fact)}"}\n`);
    return true;
  };
}

/** Quotes, backslashes, control characters, and halves of a pair, which alone are no text. */
const unsafeInJson = /["\\\u0000-\u001f\ud800-\udfff]/;

function escaped(text: string): string {
  return unsafeInJson.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** JSON knows no number that is none, or has no end. */
function jsonOf(value: number | boolean | null): string {
  return typeof value === 'number' && !Number.isFinite(value) ? 'null' : String(value);
}
