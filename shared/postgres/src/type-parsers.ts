import pg from 'pg';
import type { Instant } from '@holdfast/kernel/context';

type Parse = (text: string) => unknown;

const int8 = 20;
const int8Array = 1016;
const timestamptz = 1184;
const timestamptzArray = 1185;
const microsecondDigits = 6;

const parsers: ReadonlyMap<number, Parse> = new Map<number, Parse>([
  [int8, BigInt],
  [int8Array, (text) => mapNested(textArray(text), BigInt)],
  [timestamptz, parseInstant],
  [timestamptzArray, (text) => mapNested(textArray(text), parseInstant)],
]);

/** The driver's type declaration allows only the OIDs of its own enum; the server has more. */
const driverParser = pg.types.getTypeParser as (oid: number, format: 'text' | 'binary') => Parse;

function parserOf(oid: number, format: 'text' | 'binary' = 'text'): Parse {
  const own = format === 'binary' ? undefined : parsers.get(oid);
  return own ?? driverParser(oid, format);
}

/** Type parsers of our own pools. The driver's global defaults are not changed. */
export const typeParsers: pg.CustomTypesConfig = { getTypeParser: parserOf };

/** Postgres sends `2026-01-31 12:00:00.5+00` in a session with the time zone UTC, which ours have. */
function parseInstant(text: string): Instant {
  if (!text.endsWith('+00')) throw new Error(`The timestamp is not in UTC: ${text}`);
  const fraction = text.slice(20, -3).padEnd(microsecondDigits, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction}Z`;
}

const textArray = driverParser(1009, 'text') as (text: string) => readonly unknown[];

function mapNested(values: readonly unknown[], parse: Parse): readonly unknown[] {
  return values.map((value) => {
    if (Array.isArray(value)) return mapNested(value, parse);
    return typeof value === 'string' ? parse(value) : value;
  });
}
