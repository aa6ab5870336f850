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

/**
 * A withdrawal of 40 XLM to an account that has 10 XLM. The emergency stop holds it, and with it the response to its commit, which is not
 * awaited.
 */
export async function aCommittedWithdrawal(apis: Apis): Promise<Payment> {
  const payment = await aPayment(apis, 'ledger');
  await callStep(apis, payment, 'create-withdrawal');
  callStep(apis, payment, 'commit').catch(() => undefined);
  await expectStatus(apis, payment, 'WITHDRAWAL_COMMITTED');
  return payment;
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
