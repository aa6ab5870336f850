import type { NewId } from '@holdfast/kernel/ids';
import { activeTraceparent } from '@holdfast/observability';
import type { Posting } from '../use-cases/ports.js';

/** A posting with its cause, which stays the same in every attempt and is stored with the transfer. */
export type CausedPosting = Posting & {
  readonly cause: string;
  /** The cause was generated for this posting, so only an own commit of unknown outcome can have stored it. */
  readonly isCauseNew: boolean;
  /** The span that caused the posting, because the batch is posted outside of it. */
  readonly traceparent: string | undefined;
};

/** A request without operation id and message gets a generated cause before its first attempt. */
export function withCause(posting: Posting, newId: NewId): CausedPosting {
  const { cause } = posting;
  return { ...posting, cause: cause ?? newId('tr'), isCauseNew: cause === undefined, traceparent: activeTraceparent() };
}

/** A posting makes at most this many transfers: the correction, the fee and two payouts of a settlement. */
export const transfersMax = 4;

/** The first transfer of a posting has its cause, the others have the cause with a number. */
export function nthCauseOf({ cause }: CausedPosting, nth: number): string {
  return nth === 0 ? cause : `${cause}#${nth.toString()}`;
}

/**
 * Credits and debits of requests with a reference are idempotent per user and reference, in addition to their cause. The reference of
 * a message is only shown: a client may use the same text.
 */
export function referenceKeyOf({ instruction, reference, message }: Posting): string | undefined {
  if (reference === undefined || message !== undefined || (instruction.does !== 'credit' && instruction.does !== 'debit'))
    return undefined;
  return `${instruction.userId}/${reference}`;
}
