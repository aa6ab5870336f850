import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { escrowProviderEventTypes, usedEscrowProviderEvent, type EscrowProviderEvent } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';
import type { UnreadableEvent } from '../use-cases/receive-provider-event.js';

const signatureHeader = 'x-escrow-signature';

export type Received =
  | { readonly isReadable: true; readonly event: EscrowProviderEvent; readonly isSigned: boolean }
  | { readonly isReadable: false; readonly event: UnreadableEvent }
  /** An unsigned event of an unknown type. */
  | 'unknown type';

type Counters = { readonly countForAddress: () => void; readonly countRefused: () => void };

/**
 * Verifies the signature and parses the event. A wrong signature is refused before the body is parsed. An event without a
 * signature, or without a secret to verify it, is returned as unsigned. Both count for the rate limit of their address. The
 * provider retries what is refused, so a signed body is never refused for its content.
 */
export function readProviderEvent(
  { bytes, headers }: RawBody,
  secret: string | undefined,
  { countForAddress, countRefused }: Counters,
): Received {
  const signature = secret === undefined ? undefined : headers[signatureHeader];
  const isSigned = signature !== undefined && isSignatureValid(signature, bytes, secret);
  if (!isSigned) countForAddress();
  if (signature !== undefined && !isSigned) {
    countRefused();
    throw new AppError('WEBHOOK_SIGNATURE_INVALID');
  }
  const content = parseJson(bytes);
  const parsed = usedEscrowProviderEvent.safeParse(content);
  if (parsed.success) return { isReadable: true, event: parsed.data, isSigned };
  if (isSigned) return { isReadable: false, event: { eventId: eventIdOf(content, bytes), body: bytes } };
  if (hasUnknownType(content)) return 'unknown type';
  const validationErrors = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new AppError('VALIDATION_ERROR', { validationErrors });
}

function isSignatureValid(signature: string | readonly string[], bytes: Uint8Array, secret: string | undefined): boolean {
  if (secret === undefined || typeof signature !== 'string' || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex'));
}

/** Undefined where the body is not JSON. The provider sends null for empty fields; the schema has them optional. */
function parseJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    const event = withoutNulls(JSON.parse(text));
    return isObject(event) ? { ...event, data: withoutNulls(event['data']) } : event;
  } catch {
    return undefined;
  }
}

function withoutNulls(value: unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null)) : value;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const knownTypes: ReadonlySet<string> = new Set(escrowProviderEventTypes);

function hasUnknownType(content: unknown): boolean {
  return isObject(content) && typeof content['type'] === 'string' && !knownTypes.has(content['type']);
}

function eventIdOf(content: unknown, bytes: Uint8Array): string {
  const { data: eventId } = usedEscrowProviderEvent.shape.event_id.safeParse(isObject(content) ? content['event_id'] : undefined);
  return eventId ?? `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}
