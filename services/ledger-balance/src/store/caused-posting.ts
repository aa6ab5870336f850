import type { NewId } from '@holdfast/kernel/ids';
import type { Posting } from '../use-cases/ports.js';

/** A posting with the cause that it keeps from try to try, and under which its transfer is stored. */
export type CausedPosting = Posting & {
  readonly cause: string;
  /** Nobody else can have used the cause: only a commit of unknown outcome may have stored it. */
  readonly isCauseNew: boolean;
};

/** A request that names neither operation nor message gets a cause of its own, before its first try. */
export function withCause(posting: Posting, newId: NewId): CausedPosting {
  const { cause } = posting;
  return { ...posting, cause: cause ?? newId('tr'), isCauseNew: cause === undefined };
}

/** The first transfer of a posting carries its cause, the others count on from it. */
export function nthCauseOf({ cause }: CausedPosting, nth: number): string {
  return nth === 0 ? cause : `${cause}#${nth.toString()}`;
}

/** Credits and debits with a reference are idempotent per user and reference, whatever else they are caused by. */
export function referenceKeyOf({ instruction, reference }: Posting): string | undefined {
  if (reference === undefined || (instruction.does !== 'credit' && instruction.does !== 'debit')) return undefined;
  return `${instruction.userId}/${reference}`;
}
