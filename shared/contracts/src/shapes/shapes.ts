import { z } from 'zod';
import { scopes, type Instant } from '@holdfast/kernel/context';
import { durationMsOf, type Duration } from '@holdfast/kernel/instants';
import { currencies, isAmount } from '@holdfast/kernel/money';
import { isId, isOpaqueId, type Id, type IdPrefix } from '@holdfast/kernel/ids';
import { unstorable } from './metadata.js';

/** Maximum lengths of text in requests, in characters. */
export const textMax = {
  title: 200,
  description: 5_000,
  reference: 255,
  reason: 1_000,
  note: 4_000,
  email: 254,
  evidence: 2_048,
} as const;

/** Any Unicode text without NUL and unpaired surrogates, which Postgres cannot store. Only white space counts as empty. */
export function freeText(lengthMax: number): z.ZodString {
  return z
    .string()
    .max(lengthMax)
    .refine((text) => !unstorable.test(text), 'must not contain NUL or incomplete characters')
    .overwrite((text) => (text.trim() === '' ? '' : text));
}

export const currency = z.enum(currencies).meta({ description: 'Currency code', example: 'USD' });

/** The message about an amount of the wrong type or form. With seven places, only USDC and XLM may use all of them. */
export function amountForm(placesMax: 2 | 7): string {
  const places = placesMax === 2 ? 'at most two decimal places' : 'at most two decimal places, or seven in USDC and XLM';
  return `must be a decimal string with a point and ${places}, such as "12.50"`;
}

/** An amount in a request, with a maximum number of decimal places. */
export function amountIn(placesMax: 2 | 7): z.ZodString {
  const pattern = placesMax === 2 ? /^(0|[1-9]\d{0,10})(\.\d{1,2})?$/ : /^(0|[1-9]\d{0,10})(\.\d{1,7})?$/;
  return z
    .string(amountForm(placesMax))
    .regex(pattern, { error: amountForm(placesMax), abort: true })
    .refine((text) => isAmount(text, placesMax), 'must be above zero')
    .meta({ description: `Decimal string above zero with up to ${String(placesMax)} decimal places`, example: '12.50' });
}

/** A part of an amount, which may be zero. */
export const partIn = z
  .string(amountForm(2))
  .regex(/^(0|[1-9]\d{0,10})(\.\d{1,2})?$/, amountForm(2))
  .meta({ description: 'Decimal string, zero or above, with up to 2 decimal places', example: '12.50' });

/** An amount in a response or a message: two to seven decimal places. */
export const amountOut = z
  .string()
  .regex(/^-?\d+\.\d{2,7}$/)
  .meta({ description: 'Decimal string with at least two decimal places', example: '12.50' });

export const instant = z
  .string()
  .meta({ description: 'ISO 8601 timestamp in UTC with microseconds', example: '2026-01-31T12:00:00.123456Z' });

/** The routes whose responses have the ids that clients send. The messages about malformed ids name them. */
export const idSources: Readonly<Partial<Record<IdPrefix, string>>> = {
  usr: 'POST /users',
  ord: 'POST /orders',
  esc: 'POST /escrow/init',
  topup: 'POST /topups',
  wd: 'POST /withdrawals',
  rcc: 'GET /reconciliation/cases',
  key: 'POST /auth/api-keys',
  mkt: 'POST /marketplaces',
  prj: 'POST /projects',
  whk: 'POST /webhook-endpoints',
  whd: 'GET /webhook-deliveries',
};

/** The message about a malformed id: its kind, and the route that returned it. */
function idForm(prefix: IdPrefix, source = idSources[prefix]): string {
  return `must be an id such as ${prefix}_…${source === undefined ? '' : `, which ${source} returned`}`;
}

function exampleId(prefix: IdPrefix): string {
  return `${prefix}_01JB2M3N4P5Q6R7S8T9V0W1X2Y`;
}

/** An id of the platform with the given prefix. `source` is the route that returned it, if it is not the usual one. */
export function id<P extends IdPrefix>(prefix: P, source?: string): z.ZodType<Id<P>, string> {
  return z
    .custom<Id<P>>((value) => typeof value === 'string' && isId(value, prefix), idForm(prefix, source))
    .meta({
      type: 'string',
      pattern: `^${prefix}_[A-Za-z0-9]{1,64}$`,
      description: `Id with the prefix ${prefix}_`,
      example: exampleId(prefix),
    });
}

/** An id of this kind that is stored and compared: any prefix is accepted, and the service says whether the resource exists. */
export function opaqueId(prefix: IdPrefix): z.ZodString {
  return z
    .string(idForm(prefix))
    .refine(isOpaqueId, idForm(prefix))
    .meta({ description: 'Resource id', example: exampleId(prefix) });
}

/** A time in a request, converted to UTC. A date alone is its midnight, no offset means UTC, and seconds may be missing. */
export const instantIn = z
  .string()
  .overwrite(withAllParts)
  .refine(isDateTime, 'must be a date or a date and time in ISO 8601, such as "2026-01-31" or "2026-01-31T12:00:00Z"')
  .refine((text) => isStorable(text), 'must lie between the years 1 and 9999')
  .transform(toUtc)
  .meta({
    description: 'ISO 8601 date, or date and time; UTC unless it has an offset. A date alone is its midnight',
    example: '2027-01-31T12:00:00Z',
  });

const dateTime = z.iso.datetime({ offset: true });
const timeParts = /^([^T]+)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;

/** Malformed texts stay as they are; another check reports them. */
function withAllParts(text: string): string {
  const [isTime, date = '', minutes = '00:00', seconds = ':00', offset = 'Z'] = timeParts.exec(text) ?? [];
  return isTime === undefined ? text : `${date}T${minutes}${seconds}${offset}`;
}

function isDateTime(text: string): boolean {
  return dateTime.safeParse(text).success;
}

const fractionOfSecond = /\.(\d+)/;
const instantMin = Date.parse('0001-01-02T00:00:00Z');
const instantMax = Date.parse('9999-12-30T00:00:00Z');

/** Another check reports malformed timestamps. */
function isStorable(text: string): boolean {
  const epochMs = Date.parse(text);
  return Number.isNaN(epochMs) || (epochMs >= instantMin && epochMs <= instantMax);
}

function toUtc(text: string): Instant {
  const fraction = fractionOfSecond.exec(text)?.[1] ?? '';
  const toTheSecond = new Date(text.replace(fractionOfSecond, '')).toISOString().slice(0, 19);
  return `${toTheSecond}.${fraction.slice(0, 6).padEnd(6, '0')}Z`;
}

/** A duration in a response or a message. */
export const duration = z
  .custom<Duration>((value) => typeof value === 'string' && durationMsOf(value) !== undefined, 'must be a duration')
  .meta({ type: 'string', description: 'ISO 8601 duration of weeks, days, hours, minutes and seconds', example: 'P14D' });

/** A duration in a request, from the shortest to the longest one. */
export function durationIn(shortest: Duration, longest: Duration) {
  const isWithin = (text: string): boolean => {
    const [ms, least, most] = [text, shortest, longest].map(durationMsOf);
    return ms !== undefined && least !== undefined && most !== undefined && ms >= least && ms <= most;
  };
  const form = `must be an ISO 8601 duration from ${shortest} to ${longest}, such as "P14D" or "PT36H"`;
  return z
    .custom<Duration>((value) => typeof value === 'string' && isWithin(value), form)
    .meta({
      type: 'string',
      description: `ISO 8601 duration of weeks, days, hours, minutes and seconds, from ${shortest} to ${longest}`,
      example: 'P14D',
    });
}

/** A duration in a request that has a shortest one only. */
export function durationFrom(shortest: Duration) {
  const isWithin = (text: string): boolean => {
    const [ms, least] = [text, shortest].map(durationMsOf);
    return ms !== undefined && least !== undefined && ms >= least;
  };
  return z
    .custom<Duration>(
      (value) => typeof value === 'string' && value.length <= textMax.reference && isWithin(value),
      `must be an ISO 8601 duration of at least ${shortest}, such as "P14D" or "PT36H"`,
    )
    .meta({
      type: 'string',
      description: `ISO 8601 duration of weeks, days, hours, minutes and seconds, at least ${shortest}`,
      example: 'P14D',
    });
}

export const email = z.email().max(textMax.email).meta({ description: 'E-mail address', example: 'ada@example.com' });

/** The display name of a person or program. */
export const name = freeText(textMax.title).min(1);

export const scope = z.enum(scopes).meta({ description: 'Scope of a credential', example: 'read' });

export const noParams = z.strictObject({});
export const noQuery = z.strictObject({});

const plainInteger = /^(0|-?[1-9]\d*)$/;

/** A whole number in a query. In another form, such as 1e1, 5.0 or +5, it stays a text and is refused. */
export function integerIn<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((given) => (typeof given === 'string' && plainInteger.test(given) ? Number(given) : given), schema);
}

export const pageSize = integerIn(z.int('must be a whole number from 1 to 100, such as 20').min(1).max(100))
  .default(20)
  .meta({ description: 'Page size', example: 20 });

/** The lines of a statement are short, and there are many. */
export const statementPageSize = integerIn(z.int('must be a whole number from 1 to 1000, such as 100').min(1).max(1_000))
  .default(100)
  .meta({ description: 'Page size', example: 100 });

const pageNumberMax = 1_000_000;

export const pageNumber = integerIn(z.int('must be a whole number from 1 to 1000000, such as 2').min(1).max(pageNumberMax))
  .default(1)
  .meta({ description: 'Number of the page', example: 1 });

/** The query parameters of every list route. */
export const pageQuery = {
  limit: pageSize,
  cursor: freeText(textMax.reference).optional().meta({ description: '`nextCursor` of the previous page' }),
  createdAfter: instantIn.optional().meta({ description: 'Items created after this time', example: '2026-01-01T00:00:00Z' }),
  createdBefore: instantIn.optional().meta({ description: 'Items created before this time' }),
} as const;
