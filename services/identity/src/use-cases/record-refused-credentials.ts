import type { Context } from '@holdfast/kernel/context';
import type { Deps, ReportedRefusals } from './ports.js';

/** Stores the counts of a gateway. A repeated or late report counts nothing twice. */
export async function recordRefusedCredentials(
  deps: Deps,
  input: ReportedRefusals,
  ctx: Context,
): Promise<{ readonly noted: number }> {
  await deps.inTransaction(ctx, (tx) => tx.refusals.record(input));
  return { noted: input.refusals.length };
}
