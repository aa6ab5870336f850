import { aggregateTypes, envelopeOf, type Envelope } from '../contracts/messages/index.js';
import { isId, type IdPrefix } from '../ids/index.js';
import { PoisonMessage } from './broker.js';

/** Far above any message of ours, far below what would hurt a broker or a heap. */
export const envelopeBytesMax = 256 * 1_024;

/** The largest envelope may be the last one of a bundle. */
const bundleBytesMax = 2 * envelopeBytesMax;

const bytesPerCharacterMax = 3;
const nameCharactersMax = 200;
const instantPattern = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

type Check = (value: unknown) => boolean;

const isName: Check = (value) => typeof value === 'string' && value.length > 0 && value.length <= nameCharactersMax;
const isIdOf =
  (prefix: IdPrefix): Check =>
  (value) =>
    typeof value === 'string' && isId(value, prefix);
const isWholeFrom =
  (min: number): Check =>
  (value) =>
    Number.isSafeInteger(value) && Number(value) >= min;

const fieldChecks = {
  id: isIdOf('evt'),
  type: isName,
  version: isWholeFrom(1),
  occurredAt: (value) => typeof value === 'string' && instantPattern.test(value),
  aggregateType: (value) => aggregateTypes.some((type) => type === value),
  aggregateId: isName,
  aggregateVersion: isWholeFrom(0),
  marketplaceId: isIdOf('mkt'),
  correlationId: isName,
} satisfies Partial<Record<keyof Envelope, Check>>;

const optionalChecks = {
  aggregatePart: isName,
  causationId: isIdOf('evt'),
  afterEventId: isIdOf('evt'),
  saga: isName,
  sagaRunId: isIdOf('run'),
} satisfies Partial<Record<keyof Envelope, Check>>;

const required: readonly (readonly [string, Check])[] = Object.entries(fieldChecks);
const optional: readonly (readonly [string, Check])[] = Object.entries(optionalChecks);

/** Throws when the message is larger than any queue may be given. */
export function serializeEnvelope(envelope: Envelope): string {
  const text = JSON.stringify(envelope);
  if (text.length * bytesPerCharacterMax <= envelopeBytesMax) return text;
  const bytes = Buffer.byteLength(text);
  if (bytes <= envelopeBytesMax) return text;
  throw new Error(`Message ${envelope.id} (${envelope.type}) has ${bytes} bytes; the limit is ${envelopeBytesMax}.`);
}

/** What a person is shown of a message: text where it is not JSON. */
export function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Throws `PoisonMessage` for whatever is not one of our messages: trying again would not change it. */
export function parseEnvelope(body: Buffer | string): Envelope {
  if (body.length > envelopeBytesMax) throw new PoisonMessage(`has ${body.length} bytes; the limit is ${envelopeBytesMax}`);
  return checkEnvelope(parseJson(body.toString()));
}

/**
 * The same for what has been read already. What every message carries is checked by hand, because every message passes here; see
 * docs/adr/0036-the-frame-of-a-message-is-checked-by-hand.md. Payloads are checked by the contract of their type, where they are handled.
 */
export function checkEnvelope(value: unknown): Envelope {
  if (typeof value !== 'object' || value === null) throw new PoisonMessage('is not an envelope');
  const fields = value as Readonly<Record<string, unknown>>;
  for (const [name, isRight] of required) if (!isRight(fields[name])) refuse(name);
  for (const [name, isRight] of optional) if (fields[name] !== undefined && !isRight(fields[name])) refuse(name);
  const envelope = value as Envelope;
  return envelopeOf(envelope, envelope.payload);
}

function refuse(field: string): never {
  throw new PoisonMessage(`is not an envelope: ${field} is missing or not what it should be`);
}

/** What a message of several carries; each is checked on its own. */
export function parseBundle(body: Buffer): readonly unknown[] {
  if (body.length > bundleBytesMax) throw new PoisonMessage(`has ${body.length} bytes; the limit is ${bundleBytesMax}`);
  const members = parseJson(body.toString());
  if (!Array.isArray(members)) throw new PoisonMessage('is not a bundle of envelopes');
  return members;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PoisonMessage('is not JSON', { cause });
  }
}
