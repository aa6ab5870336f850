import type { RunningPayments } from './running-payments.js';

type Report = {
  readonly currency: string;
  readonly journal: string;
  readonly paymentProvider: string;
  readonly ledgerNetwork: string;
  readonly difference: string;
  readonly openCases: number;
};

type Found = { readonly id: string; readonly kind: string; readonly amount: string; readonly sourceId: string };

/** Reconciles now. */
export async function reportOf(payments: RunningPayments, currency = 'USD'): Promise<Report> {
  const response = await payments.post('/reconciliation/reports', undefined);
  expect([response.status, response.code]).toEqual([201, undefined]);
  const report = (response.data.reports as readonly Report[]).find((each) => each.currency === currency);
  if (report === undefined) throw new Error(`There is no report in ${currency}.`);
  return report;
}

export async function casesOf(payments: RunningPayments): Promise<readonly Found[]> {
  return (await payments.get('/reconciliation/cases')).data.data as readonly Found[];
}

export async function anOpenTopup(payments: RunningPayments, amount = '30.00') {
  const userId = await payments.aLinkedUser();
  const response = await payments.post('/topups', { userId, amount, currency: 'USD' });
  expect([response.status, response.code]).toEqual([201, undefined]);
  const { id, providerPayinId } = response.data as { readonly id: string; readonly providerPayinId: string };
  return { id, payinId: providerPayinId, userId };
}

/** The payment provider receives the money of a pay-in, by default the amount that was requested. */
export async function receivePayin(payments: RunningPayments, payinId: string, amount?: string): Promise<void> {
  const response = await payments.control(`/payins/${payinId}/confirm`, amount === undefined ? {} : { amount });
  expect(response.status).toBe(200);
}
