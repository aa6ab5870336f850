import type { RefusedCredential } from '@holdfast/contracts/http';
import type { Caller } from '@holdfast/kernel/context';
import { AppError, errorCatalogue } from '@holdfast/kernel/errors';

/** Why a request has no verified caller. */
export type RefusalReason = 'missing' | 'malformed' | RefusedCredential;

/** The result of verifying the credential of a request. */
export type Identification =
  | { readonly kind: 'verified'; readonly caller: Caller }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  /** The lookup failed: identity did not respond, or too many lookups wait. */
  | { readonly kind: 'failed'; readonly error: unknown };

/** Whether the request has a credential that did not identify a caller. */
export function isCredentialRefused(identification: Identification): boolean {
  return identification.kind === 'refused' && identification.reason !== 'missing';
}

const messages: Readonly<Record<RefusalReason, string>> = {
  missing: errorCatalogue.UNAUTHORIZED.message,
  malformed: 'The Authorization header is malformed: send one, as "Bearer <key>", with an API key or token of this platform.',
  unknown: 'This key or token is unknown: check that it is complete and was issued by this installation.',
  revoked: 'This API key was revoked: use another one.',
  expired: 'This API key or token has expired: use a newer one.',
};

export function unauthorized(reason: RefusalReason): AppError {
  return new AppError('UNAUTHORIZED', { reason }, { message: messages[reason] });
}
