import { z } from 'zod';
import { envelopeSchema, type Envelope } from '@holdfast/contracts/messages';
import { NewerVersionError, NonRetryableError } from './broker.js';

/** Far above the size of the declared messages, and far below sizes that slow a broker down. */
export const envelopeBytesMax = 256 * 1_024;

/** Above any batch of `toBatches`, whose limit counts characters and not bytes. */
const batchBytesMax = 2 * envelopeBytesMax;

/** Throws when the message exceeds `envelopeBytesMax`. */
export function serializeEnvelope(envelope: Envelope): string {
  const text = JSON.stringify(envelope);
  const bytes = Buffer.byteLength(text);
  if (bytes <= envelopeBytesMax) return text;
  throw new Error(`Message ${envelope.id} (${envelope.type}) has ${bytes} bytes; the limit is ${envelopeBytesMax}.`);
}

/** Parses the body of a message. Throws `NonRetryableError` where a retry would not help. */
export function readEnvelope(body: Buffer | string): Envelope {
  if (body.length > envelopeBytesMax) throw new NonRetryableError(`has ${body.length} bytes; the limit is ${envelopeBytesMax}`);
  return parseEnvelope(parseJson(body.toString()));
}

/**
 * Parses one envelope. Unknown fields come from a newer version during a rollout, and a later delivery may reach a replica that knows
 * them.
 */
export function parseEnvelope(value: unknown): Envelope {
  const parsed = envelopeSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const reason = `is not an envelope: ${z.prettifyError(parsed.error)}`;
  const { data: dated } = datedSchema.safeParse(value);
  throw hasOnlyUnknownFields(parsed.error) && dated !== undefined
    ? new NewerVersionError(reason, dated)
    : new NonRetryableError(reason);
}

const datedSchema = envelopeSchema.pick({ occurredAt: true }).strip();

export function hasOnlyUnknownFields({ issues }: z.ZodError): boolean {
  return issues.every(({ code }) => code === 'unrecognized_keys');
}

/** Splits the body of a batch into its members. The caller parses each member, so that one bad member fails alone. */
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
