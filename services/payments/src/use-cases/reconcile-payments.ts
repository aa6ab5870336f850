import { backoffMs, pause } from '@holdfast/kernel/async';
import { baseCurrency } from '@holdfast/kernel/money';
import { comparePayments, type ReportContext } from './compare-payments.js';
import type { Booking, Deps } from './ports.js';
import type { Statement } from './provider-ports.js';
import { reconcileProviderAccount, type ProviderAccount } from './reconcile-provider-account.js';
import { readPart, Unavailable } from './report-ports.js';

export type PaymentTotals = {
  readonly journalUnits: bigint;
  readonly providerUnits: bigint;
  /** What the balance at the provider has beyond payments, fees and capital. Undefined where it could not be read. */
  readonly balanceDifferenceUnits: bigint | undefined;
  readonly pendingPayouts: Statement['pendingPayouts'];
};

const attemptsMax = 20;
const pauses = { firstDelayMs: 50, delayMsMax: 1_000 } as const;

/**
 * The totals of journal and payment provider at one moment. They may differ while something is in flight. So they count only if they agree,
 * or if nothing was in flight and the journal did not change meanwhile. What the balance has beyond payments counts only if two readings in
 * a row find it. A payout that leaves and comes back during one reading leaves the balance as it was.
 */
export async function reconcilePayments(deps: Deps, ctx: ReportContext): Promise<PaymentTotals> {
  let foundBefore: bigint | undefined;
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const totals = await readTotals(deps, ctx);
    const difference = totals?.balanceDifferenceUnits ?? 0n;
    if (totals !== undefined && (difference === 0n || difference === foundBefore)) return totals;
    if (totals !== undefined) foundBefore = difference;
    await pause(backoffMs(attempt, pauses), ctx.signal);
  }
  throw new Unavailable('paymentProvider', new Error('Payments were in flight all the time.'));
}

/** Undefined while payments in flight make the totals differ. */
async function readTotals(deps: Deps, ctx: ReportContext): Promise<PaymentTotals | undefined> {
  const before = await journalUnits(deps, ctx);
  const { statement, balanceUnits } = await readStatement(deps, ctx);
  const isSettled = await readPart('paymentProvider', () => comparePayments(deps, statement, ctx));
  const unreadable = await unreadableUnits(deps, statement);
  const providerUnits = totalOf(statement) + unreadable;
  const after = await journalUnits(deps, ctx);
  const agreed = providerUnits === before || providerUnits === after ? providerUnits : undefined;
  if (agreed === undefined && !(isSettled && before === after)) return undefined;
  const account = { statement, balanceUnits, unreadableUnits: unreadable };
  return {
    journalUnits: agreed ?? after,
    providerUnits,
    balanceDifferenceUnits: await accountDifference(deps, account, ctx),
    pendingPayouts: statement.pendingPayouts,
  };
}

type Account = Omit<ProviderAccount, 'balanceUnits'> & {
  readonly balanceUnits: bigint | undefined;
  readonly unreadableUnits: bigint;
};

async function accountDifference(deps: Deps, account: Account, ctx: ReportContext): Promise<bigint | undefined> {
  const { balanceUnits } = account;
  return balanceUnits === undefined ? undefined : reconcileProviderAccount(deps, { ...account, balanceUnits }, ctx);
}

const readingsMax = 5;

/** A statement and the balance of the same moment: it is the same before and after. */
async function readStatement(
  { provider }: Deps,
  { signal, log }: ReportContext,
): Promise<{ readonly statement: Statement; readonly balanceUnits: bigint | undefined }> {
  const readBalance = () =>
    provider.balance(signal).catch((error: unknown) => {
      log.warn({ err: error }, 'the balance at the payment provider could not be read');
      return undefined;
    });
  let before = await readBalance();
  for (let reading = 1; ; reading += 1) {
    const statement = await readPart('paymentProvider', () => provider.statement(signal));
    const after = before === undefined ? undefined : await readBalance();
    const isSame = before === after;
    if (isSame || reading >= readingsMax) return { statement, balanceUnits: isSame ? after : undefined };
    before = after;
  }
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
