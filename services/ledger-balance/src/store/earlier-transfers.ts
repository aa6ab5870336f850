import { AppError } from '@holdfast/kernel/errors';
import type { Tx } from '@holdfast/postgres';
import { isShared, type Account } from '../domain/accounts.js';
import type { Posted, Posting } from '../use-cases/ports.js';
import { referenceKeyOf, type CausedPosting } from './caused-posting.js';
import { movedUnitsOf, type TransferRow } from './schema.js';
import { findTransfersByCause, findTransfersByReference } from './sql/find-transfers.js';

/** The stored transfers with the causes and references of a batch. */
export type EarlierTransfers = {
  readonly byCause: Map<string, TransferRow>;
  readonly byReference: Map<string, TransferRow>;
};

/**
 * A generated cause is looked up only if an earlier attempt may have committed it. Messages are recognised by the inbox, unless
 * a request without a message can have the same cause. The compensation of an aborted run looks up the transfer that it
 * compensates.
 */
export async function readEarlierTransfers(
  tx: Tx,
  postings: readonly CausedPosting[],
  { mayBeCommitted }: { readonly mayBeCommitted: boolean },
): Promise<EarlierTransfers> {
  const causes = postings.flatMap(({ message, isCauseNew, cause, instruction }) => {
    if (instruction.does === 'restore') return instruction.deductionCause ?? [];
    const isLookedUp = message === undefined ? mayBeCommitted || !isCauseNew : cause !== message.id;
    return isLookedUp ? [cause] : [];
  });
  const references = postings.map(referenceKeyOf).filter((key) => key !== undefined);
  const [byCause, byReference] = await Promise.all([
    causes.length === 0 ? [] : tx.query<TransferRow>(findTransfersByCause, [causes]),
    references.length === 0 ? [] : tx.query<TransferRow>(findTransfersByReference, [references]),
  ]);
  return {
    byCause: new Map(byCause.map((row) => [row.cause, row])),
    byReference: new Map(byReference.map((row) => [row.referenceKey ?? '', row])),
  };
}

/** The first result of a repeated request. Throws if its cause or reference was used for another operation. */
export function postedBefore(posting: CausedPosting, subject: Account, earlier: EarlierTransfers): Posted | undefined {
  const byCause = earlier.byCause.get(posting.cause);
  if (byCause !== undefined) {
    if (!isSameRequest(posting, subject, byCause)) throw new AppError('IDEMPOTENCY_KEY_REUSED');
    return postedOf(byCause);
  }
  const byReference = earlier.byReference.get(referenceKeyOf(posting) ?? '');
  if (byReference === undefined) return undefined;
  if (!isSameRequest(posting, subject, byReference)) {
    throw new AppError('REFERENCE_EXISTS', { reference: posting.reference });
  }
  return postedOf(byReference);
}

export function postedOf({ id, availableUnits, reservedUnits, createdAt }: TransferRow): Posted {
  return { transferId: id, availableUnits: availableUnits ?? 0n, reservedUnits: reservedUnits ?? 0n, at: createdAt };
}

/** The account identifies user and currency. Transfers between shared accounts store neither. */
export function isSameRequest({ type, instruction }: Posting, subject: Account, row: TransferRow): boolean {
  if (row.type !== type) return false;
  if (isShared(subject)) return row.accountId === null;
  if (row.accountId !== subject.id) return false;
  const moved = movedUnitsOf(row);
  const units = moved < 0n ? -moved : moved;
  return !('amount' in instruction) || instruction.amount.units === units;
}
