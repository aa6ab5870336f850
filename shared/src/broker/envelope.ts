import { z } from 'zod';
import type { Instant } from '../context/index.js';
import { aggregateTypes, type Envelope } from '../contracts/messages/index.js';
import { id } from '../contracts/shapes/index.js';
import { PoisonMessage } from './broker.js';

/** Far above any message of ours, far below what would hurt a broker or a heap. */
export const envelopeBytesMax = 256 * 1_024;

/** The largest envelope may be the last one of a bundle. */
const bundleBytesMax = 2 * envelopeBytesMax;

const bytesPerCharacterMax = 3;
const nameCharactersMax = 200;
const name = z.string().min(1).max(nameCharactersMax);
const instant = z.custom<Instant>(
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value),
  'must be an instant',
);

/** What every message carries. Payloads are checked by the contract of their type, where they are handled. */
const envelopeShape = z.object({
  id: id('evt'),
  type: name,
  version: z.int().min(1),
  occurredAt: instant,
  aggregateType: z.enum(aggregateTypes),
  aggregateId: name,
  aggregateVersion: z.int().min(0),
  aggregatePart: name.exactOptional(),
  marketplaceId: id('mkt'),
  correlationId: name,
  causationId: id('evt').exactOptional(),
  afterEventId: id('evt').exactOptional(),
  sagaRunId: id('run').exactOptional(),
  payload: z.unknown(),
});

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

/** The same for what has been read already. */
export function checkEnvelope(value: unknown): Envelope {
  const parsed = envelopeShape.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new PoisonMessage(`is not an envelope: ${z.prettifyError(parsed.error)}`, { cause: parsed.error });
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
