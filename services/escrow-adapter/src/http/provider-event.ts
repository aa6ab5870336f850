import { createHmac, timingSafeEqual } from 'node:crypto';
import { escrowProviderEvent, type EscrowProviderEvent } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';

const signatureHeader = 'x-escrow-signature';

/**
 * Verifies the signature and parses the event. A wrong signature is refused before the body is parsed. An event without a
 * signature, or without a secret to verify it, is returned as unsigned.
 */
export function readProviderEvent(
  { bytes, headers }: RawBody,
  secret: string | undefined,
): { readonly event: EscrowProviderEvent; readonly isSigned: boolean } {
  const signature = secret === undefined ? undefined : headers[signatureHeader];
  if (signature !== undefined && !isSignatureValid(signature, bytes, secret)) throw new AppError('WEBHOOK_SIGNATURE_INVALID');
  const parsed = escrowProviderEvent.safeParse(parseJson(bytes));
  if (!parsed.success) {
    const validationErrors = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new AppError('VALIDATION_ERROR', { validationErrors });
  }
  return { event: parsed.data, isSigned: signature !== undefined };
}

function isSignatureValid(signature: string | readonly string[], bytes: Uint8Array, secret: string | undefined): boolean {
  if (secret === undefined || typeof signature !== 'string' || !/^[0-9a-f]{64}$/i.test(signature)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(signature, 'hex'));
}

/** The provider sends null for empty fields; the schema has them optional, so null becomes undefined. */
function parseJson(bytes: Uint8Array): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  try {
    return text.includes('null') ? JSON.parse(text, withoutNull) : JSON.parse(text);
  } catch {
    throw new AppError('VALIDATION_ERROR', { validationErrors: ['the body is not JSON'] });
  }
}

function withoutNull(_: string, value: unknown): unknown {
  return value === null ? undefined : value;
}
