import { eventually } from '@holdfast/testing/eventually';
import { textOf } from '../faults/order-life.js';
import { aPayment, callStep, withdrawalOf, type Payment } from '../faults/payment-life.js';
import { sandboxControl, type SandboxControl } from '../faults/sandbox-control.js';
import { apiOf, type Api } from '../testing/api.js';
import type { RunningInstallation } from '../testing/installation.js';

export type Apis = { readonly api: Api; readonly sandbox: SandboxControl };

export function apisOf({ baseUrl, masterKey, sandboxUrl }: RunningInstallation): Apis {
  return { api: apiOf(baseUrl, masterKey), sandbox: sandboxControl(sandboxUrl) };
}

/** A withdrawal of 40 XLM to an account that has 10 XLM. */
export async function aWithdrawal(apis: Apis): Promise<Payment> {
  const payment = await aPayment(apis, 'ledger');
  await callStep(apis, payment, 'create-withdrawal');
  return payment;
}

/** While the platform is stopped: the withdrawal stays as it was. */
export async function expectCommitRefused(apis: Apis, payment: Payment): Promise<void> {
  await eventually(async () =>
    expect(await callStep(apis, payment, 'commit')).toMatchObject({ status: 503, code: 'PLATFORM_STOPPED' }),
  );
  await expectStatus(apis, payment, 'WITHDRAWAL_CREATED');
}

/**
 * Commits a withdrawal that the stopped adapter holds, and with it the response to its commit, which is not awaited. The service that
 * takes the commit must not know of the stop; it reads that at intervals.
 */
export async function commitHeld(apis: Apis, payment: Payment): Promise<void> {
  await eventually(async () => {
    callStep(apis, payment, 'commit').catch(() => undefined);
    await expectStatusNow(apis, payment, 'WITHDRAWAL_COMMITTED');
  });
}

/** What the account of the withdrawal holds on the network. */
export async function received({ sandbox }: Apis, payment: Payment): Promise<string | undefined> {
  const { accounts } = await sandbox.state();
  return accounts.find(({ address }) => address === payment.address)?.balances['XLM'];
}

export function expectCompleted(apis: Apis, payment: Payment): Promise<void> {
  return expectStatus(apis, payment, 'WITHDRAWAL_COMPLETED');
}

async function expectStatus({ api }: Apis, payment: Payment, status: string): Promise<void> {
  const place = `/withdrawals/${await withdrawalOf(api, payment)}`;
  await eventually(async () => expect(textOf((await api.get(place)).data, 'status')).toBe(status));
}

async function expectStatusNow({ api }: Apis, payment: Payment, status: string): Promise<void> {
  const place = `/withdrawals/${await withdrawalOf(api, payment)}`;
  expect(textOf((await api.get(place)).data, 'status')).toBe(status);
}
