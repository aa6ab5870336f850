import type { Context } from '@holdfast/kernel/context';
import type { Deps, ReportedRefusals } from './ports.js';

/** What a gateway has counted. A report that comes twice, or late, never counts anything twice. */
export async function recordRefusedCredentials(
  deps: Deps,
  input: ReportedRefusals,
  ctx: Context,
): Promise<{ readonly noted: number }> {
  await deps.inTransaction(ctx, (tx) => tx.refusals.record(input));
  return { noted: input.refusals.length };
}
