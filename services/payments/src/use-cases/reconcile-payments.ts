import { backoffMs, pause } from '@holdfast/kernel/async';
import { AppError } from '@holdfast/kernel/errors';
import { baseCurrency } from '@holdfast/kernel/money';
import { comparePayments, type ReportContext } from './compare-payments.js';
import type { Deps } from './ports.js';
import type { Statement } from './provider-ports.js';

export type Totals = { readonly journalUnits: bigint; readonly providerUnits: bigint };

const attemptsMax = 20;
const pauses = { firstDelayMs: 50, delayMsMax: 1_000 } as const;

/**
 * The totals of journal and payment provider at one moment. They may differ while something is in flight, so they count only if
 * they agree, or if nothing was in flight and the journal did not change meanwhile.
 */
export async function reconcilePayments(deps: Deps, ctx: ReportContext): Promise<Totals> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const before = await journalUnits(deps, ctx);
    const statement = await deps.provider.statement(ctx.signal);
    const providerUnits = totalOf(statement);
    const isSettled = await comparePayments(deps, statement, ctx);
    const after = await journalUnits(deps, ctx);
    if (providerUnits === before || providerUnits === after) return { journalUnits: providerUnits, providerUnits };
    if (isSettled && before === after) return { journalUnits: after, providerUnits };
    await pause(backoffMs(attempt, pauses), ctx.signal);
  }
  throw new AppError('SERVICE_UNAVAILABLE', { reason: 'Payments were in flight all the time.' });
}

/** Both accounts are on the other side of the journal: what came in makes them negative, what left positive. */
async function journalUnits({ books }: Deps, { requestId }: ReportContext): Promise<bigint> {
  const { payins, payouts } = await books.externalUnits(baseCurrency, requestId);
  return -(payins + payouts);
}

function totalOf({ payins, payouts }: Statement): bigint {
  const sum = (items: Statement['payins']): bigint => items.reduce((total, { amount }) => total + amount.units, 0n);
  return sum(payins) - sum(payouts);
}
