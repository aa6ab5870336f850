import { z } from 'zod';
import { envelopeSchema, type Envelope } from '@holdfast/contracts/messages';
import { NonRetryableError } from './broker.js';

/** Far above any message of ours, far below what would hurt a broker or a heap. */
export const envelopeBytesMax = 256 * 1_024;

/** The largest envelope may be the last one of a batch. */
const batchBytesMax = 2 * envelopeBytesMax;

/** Throws when the message is larger than any queue may be given. */
export function serializeEnvelope(envelope: Envelope): string {
  const text = JSON.stringify(envelope);
  const bytes = Buffer.byteLength(text);
  if (bytes <= envelopeBytesMax) return text;
  throw new Error(`Message ${envelope.id} (${envelope.type}) has ${bytes} bytes; the limit is ${envelopeBytesMax}.`);
}

/** The body of a message as an operator is shown it: text where it is not JSON. */
export function readableBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads the body of a message. Throws `PoisonMessage` where a retry would not help. */
export function readEnvelope(body: Buffer | string): Envelope {
  if (body.length > envelopeBytesMax) throw new NonRetryableError(`has ${body.length} bytes; the limit is ${envelopeBytesMax}`);
  return parseEnvelope(parseJson(body.toString()));
}

/**
 * Parses one envelope. Unknown fields are not poison: they come from a later version that is being rolled out, and a retry may
 * reach a replica that understands them.
 */
export function parseEnvelope(value: unknown): Envelope {
  const parsed = envelopeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const reason = `is not an envelope: ${z.prettifyError(parsed.error)}`;
  const hasOnlyUnknownFields = parsed.error.issues.every(({ code }) => code === 'unrecognized_keys');
  throw hasOnlyUnknownFields ? new Error(reason) : new NonRetryableError(reason);
}

/** Reads the members of a batch; each is parsed on its own. */
export function readBatch(body: Buffer): readonly unknown[] {
  if (body.length > batchBytesMax) throw new NonRetryableError(`has ${body.length} bytes; the limit is ${batchBytesMax}`);
  const members = parseJson(body.toString());
  if (!Array.isArray(members)) throw new NonRetryableError('is not a batch of envelopes');
  return members;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new NonRetryableError('is not JSON', { cause });
  }
}
