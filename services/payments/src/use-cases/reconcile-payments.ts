import { backoffMs, pause } from '@holdfast/kernel/async';
import { baseCurrency } from '@holdfast/kernel/money';
import { comparePayments, type ReportContext } from './compare-payments.js';
import type { Booking, Deps } from './ports.js';
import type { Statement } from './provider-ports.js';
import { readPart, Unavailable } from './unavailable.js';

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
    const statement = await readPart('paymentProvider', () => deps.provider.statement(ctx.signal));
    const isSettled = await readPart('paymentProvider', () => comparePayments(deps, statement, ctx));
    const providerUnits = totalOf(statement) + (await unreadableUnits(deps, statement));
    const after = await journalUnits(deps, ctx);
    if (providerUnits === before || providerUnits === after) return { journalUnits: providerUnits, providerUnits };
    if (isSettled && before === after) return { journalUnits: after, providerUnits };
    await pause(backoffMs(attempt, pauses), ctx.signal);
  }
  throw new Unavailable('paymentProvider', new Error('Payments were in flight all the time.'));
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

/** Where the provider's amount cannot be read, the booked one stands for it, and a case names the payment. */
async function unreadableUnits({ bookings }: Deps, { unreadable }: Statement): Promise<bigint> {
  const of = (about: 'payin' | 'payout') => unreadable.filter((item) => item.about === about);
  const sum = (booked: readonly Booking[]): bigint => booked.reduce((total, { bookedUnits }) => total + bookedUnits, 0n);
  if (unreadable.length === 0) return 0n;
  return sum(await bookings.ofPayins(of('payin'))) - sum(await bookings.ofPayouts(of('payout')));
}
