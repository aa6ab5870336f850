import { eventually } from '@holdfast/testing/eventually';
import { formatUnits, parseUnits } from '@holdfast/kernel/money';
import type { RunningPayments } from './running-payments.js';

type Report = {
  readonly currency: string;
  readonly journal: string | null;
  readonly paymentProvider: string | null;
  readonly ledgerNetwork: string | null;
  readonly difference: string | null;
  readonly unavailable: readonly string[];
  readonly openCases: number;
};

type Found = {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: string;
  readonly sourceId: string;
  readonly userId: string | null;
};

/** Reconciles now. */
export async function reportOf(payments: RunningPayments, currency = 'USD'): Promise<Report> {
  const response = await payments.post('/reconciliation/reports', undefined);
  expect([response.status, response.code]).toEqual([201, undefined]);
  const report = (response.data.reports as readonly Report[]).find((each) => each.currency === currency);
  if (report === undefined) throw new Error(`There is no report in ${currency}.`);
  return report;
}

/** What a report adds to an earlier one; its difference is the current one. */
export function since(before: Report, now: Report): Omit<Report, 'currency' | 'unavailable'> {
  const more = (sum: 'journal' | 'paymentProvider' | 'ledgerNetwork'): string =>
    formatUnits(parseUnits(now[sum] ?? '0.00') - parseUnits(before[sum] ?? '0.00'));
  return {
    journal: more('journal'),
    paymentProvider: more('paymentProvider'),
    ledgerNetwork: more('ledgerNetwork'),
    difference: now.difference,
    openCases: now.openCases - before.openCases,
  };
}

/** The cases about these users or payments. */
export async function casesAbout(payments: RunningPayments, ...ids: readonly string[]): Promise<readonly Found[]> {
  const { data } = (await payments.get('/reconciliation/cases?limit=100')).data as { readonly data: readonly Found[] };
  return data.filter((found) => ids.includes(found.sourceId) || (found.userId !== null && ids.includes(found.userId)));
}

export async function anOpenTopup(payments: RunningPayments, amount = '30.00') {
  const userId = await payments.aLinkedUser();
  const response = await payments.post('/topups', { userId, amount, currency: 'USD' });
  expect([response.status, response.code]).toEqual([201, undefined]);
  const { id, providerPayinId } = response.data as { readonly id: string; readonly providerPayinId: string };
  return { id, payinId: providerPayinId, userId };
}

/** The payment provider receives the money of a pay-in, by default the amount that was requested. */
export async function receivePayin(
  payments: RunningPayments,
  payinId: string,
  amount?: string,
  payerEmail?: string | null,
): Promise<void> {
  const response = await payments.control(`/payins/${payinId}/confirm`, { amount, payerEmail });
  expect(response.status).toBe(200);
}

/** A case about a payment that came in after its top-up was canceled. */
export async function aLatePayment(payments: RunningPayments, payerEmail?: string | null): Promise<Found> {
  const { id, payinId } = await anOpenTopup(payments);
  await payments.post(`/topups/${id}/cancel`, {});
  await receivePayin(payments, payinId, undefined, payerEmail);
  await payments.post(`/topups/${id}/refresh`, {});
  return eventually(async () => {
    const [found] = await casesAbout(payments, payinId);
    if (found === undefined) throw new Error('There is no case.');
    const [row] = await payments.database.asAdmin<{ readonly isBooked: boolean }>(
      'select booked_at is not null as "isBooked" from payments.reconciliation_cases where id = $1',
      [found.id],
    );
    expect(row?.isBooked).toBe(true);
    return found;
  });
}
