import { AppError } from '@holdfast/shared/errors';
import type { Instant } from '@holdfast/shared/context';
import type { TransferId } from '@holdfast/shared/ids';
import type { Posted, Posting } from '../use-cases/ports.js';
import type { RepeatRow } from './sql/find-repeats.js';

/** An earlier posting with the same cause or reference: stored, or decided a moment ago in the same batch. */
export type Repeat = { readonly isByCause: boolean; readonly posted: Posted } & (
  { readonly posting: Posting } | { readonly stored: { readonly type: string; readonly units: bigint | null } }
);

/** The first result again, if it is the same operation; else the refusal that says which key was used twice. */
export function sameResult(posting: Posting, repeat: Repeat): Posted {
  if (isSameOperation(posting, repeat)) return repeat.posted;
  if (repeat.isByCause) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  throw new AppError('REFERENCE_EXISTS', { reference: posting.reference });
}

export function toRepeat(row: RepeatRow): Repeat {
  return {
    isByCause: row.is_by_cause ?? false,
    stored: { type: row.type, units: row.units },
    posted: {
      transferId: row.id as TransferId,
      availableUnits: row.available_units ?? 0n,
      reservedUnits: row.reserved_units ?? 0n,
      at: row.created_at as Instant,
    },
  };
}

function isSameOperation(posting: Posting, repeat: Repeat): boolean {
  if ('posting' in repeat) return signatureOf(posting) === signatureOf(repeat.posting);
  // Without units it is a transfer of another account: another currency, or another user.
  if (repeat.stored.units === null || repeat.stored.type !== posting.type) return false;
  const units = repeat.stored.units < 0n ? -repeat.stored.units : repeat.stored.units;
  return !('amount' in posting.instruction) || posting.instruction.amount.units === units;
}

function signatureOf({ type, instruction }: Posting): string {
  return JSON.stringify([type, instruction], (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
}
