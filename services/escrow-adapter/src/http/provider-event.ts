import { createHmac, timingSafeEqual } from 'node:crypto';
import { escrowProviderEvent, type EscrowProviderEvent } from '@holdfast/contracts/http';
import type { RawBody } from '@holdfast/contracts/shapes';
import { AppError } from '@holdfast/kernel/errors';

const signatureHeader = 'x-escrow-signature';

/**
 * Reads what the provider sent, after its signature. Without a signature, or without a secret to check it with, nothing is
 * proved; with a wrong one nothing is read.
 */
export function readProviderEvent(
  { bytes, headers }: RawBody,
  secret: string | undefined,
): { readonly event: EscrowProviderEvent; readonly isSigned: boolean } {
  const given = secret === undefined ? undefined : headers[signatureHeader];
  if (given !== undefined && !isGenuine(given, bytes, secret)) throw new AppError('WEBHOOK_SIGNATURE_INVALID');
  const parsed = escrowProviderEvent.safeParse(parseJson(bytes));
  if (!parsed.success) {
    const validationErrors = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
    throw new AppError('VALIDATION_ERROR', { validationErrors });
  }
  return { event: parsed.data, isSigned: given !== undefined };
}

function isGenuine(given: string | readonly string[], bytes: Uint8Array, secret: string | undefined): boolean {
  if (secret === undefined || typeof given !== 'string' || !/^[0-9a-f]{64}$/i.test(given)) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(given, 'hex'));
}

/** What the provider leaves empty is null there, and is not there here. */
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
