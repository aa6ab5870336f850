import { Keypair } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import type { Api, ApiResponse } from '../testing/api.js';
import { aUser, textOf } from './order-life.js';
import type { Platform } from './platform.js';
import type { SandboxControl } from './sandbox-control.js';

/** What a user does with the payment provider, and how it ends. */
export const flows = ['top-up', 'bank', 'ledger', 'canceled', 'failed', 'late'] as const;
export type Flow = (typeof flows)[number];

/** One call of a flow. Each may be repeated: it has one effect. */
export type PaymentStep =
  | 'create-topup'
  | 'confirm'
  | 'refresh-topup'
  | 'cancel-topup'
  | 'resolve-case'
  | 'create-withdrawal'
  | 'commit'
  | 'complete'
  | 'fail'
  | 'cancel-withdrawal'
  | 'refresh-withdrawal';

/** One user with one top-up or withdrawal, as the tests follow it. */
export type Payment = {
  readonly flow: Flow;
  readonly userId: string;
  readonly address: string;
  /** The idempotency key of its creation. */
  readonly key: string;
};

const steps: Readonly<Record<Flow, readonly PaymentStep[]>> = {
  'top-up': ['create-topup', 'confirm', 'refresh-topup'],
  bank: ['create-withdrawal', 'commit', 'complete', 'refresh-withdrawal'],
  ledger: ['create-withdrawal', 'commit'],
  canceled: ['create-withdrawal', 'cancel-withdrawal'],
  failed: ['create-withdrawal', 'commit', 'fail', 'refresh-withdrawal'],
  late: ['create-topup', 'cancel-topup', 'confirm', 'resolve-case'],
};

/** What the user has in the end, of the 100.00 the user began with; 40.00 are topped up or withdrawn. */
const left: Readonly<Record<Flow, string>> = {
  'top-up': '140.00',
  bank: '60.00',
  ledger: '60.00',
  canceled: '100.00',
  failed: '100.00',
  late: '140.00',
};

const credited = '100.00';
const amount = '40.00';
const currencyOf = (flow: Flow): string => (flow === 'ledger' ? 'XLM' : 'USD');

export async function aPayment({ api, sandbox }: Pick<Platform, 'api' | 'sandbox'>, flow: Flow): Promise<Payment> {
  const userId = await aUser(api, 'payer');
  const currency = currencyOf(flow);
  expect((await api.post(`/users/${userId}/balance/credit`, { amount: credited, currency })).status).toBe(200);
  const linked = await api.post(`/users/${userId}/payment-account/link`, { email: `${userId.toLowerCase()}@example.com` });
  expect([linked.status, linked.code]).toEqual([200, undefined]);
  const address = Keypair.random().publicKey();
  if (flow === 'ledger') await sandbox.give(address, 'XLM', '10');
  return { flow, userId, address, key: crypto.randomUUID() };
}

/** Takes the payment through the steps before this one. */
export async function bringPaymentTo(platform: Platform, payment: Payment, step: PaymentStep): Promise<void> {
  const all = steps[payment.flow];
  for (const earlier of all.slice(0, all.indexOf(step))) {
    await eventually(async () => {
      const response = await callStep(platform, payment, earlier);
      expect([earlier, response?.code]).toEqual([earlier, undefined]);
    });
  }
}

/** Calls one step, whatever comes of it. Undefined where the step is something that happens at the provider. */
export async function callStep(
  { api, sandbox }: Pick<Platform, 'api' | 'sandbox'>,
  payment: Payment,
  step: PaymentStep,
): Promise<ApiResponse | undefined> {
  switch (step) {
    case 'create-topup':
      return api.post('/topups', { userId: payment.userId, amount }, payment.key);
    case 'create-withdrawal':
      return api.post('/withdrawals', { ...destinationOf(payment), userId: payment.userId, amount }, payment.key);
    case 'confirm':
      return atProvider(sandbox, 'payins', await topupOf(api, payment), 'confirm');
    case 'refresh-topup':
    case 'cancel-topup':
      return api.post(`/topups/${await topupOf(api, payment)}/${step.replace('-topup', '')}`, {});
    case 'resolve-case':
      return resolveCase(api, payment);
    default:
      return callWithdrawalStep({ api, sandbox }, await withdrawalOf(api, payment), step);
  }
}

/** A case exists once its payment was received, and can be resolved once its money is booked. */
export function callWhenPossible(
  platform: Pick<Platform, 'api' | 'sandbox'>,
  payment: Payment,
  step: PaymentStep,
): Promise<ApiResponse | undefined> {
  if (step !== 'resolve-case') return callStep(platform, payment, step);
  return eventually(async () => {
    const response = await callStep(platform, payment, step);
    expect(response?.code).not.toBe('INVALID_STATE');
    return response;
  });
}

type WithdrawalStep = 'complete' | 'fail' | 'commit' | 'cancel-withdrawal' | 'refresh-withdrawal';

function callWithdrawalStep(
  { api, sandbox }: Pick<Platform, 'api' | 'sandbox'>,
  id: string,
  step: WithdrawalStep,
): Promise<ApiResponse | undefined> {
  if (step === 'complete' || step === 'fail') return atProvider(sandbox, 'payouts', id, step);
  if (step === 'commit') return api.post(`/withdrawals/${id}/commit`);
  return api.post(`/withdrawals/${id}/${step.replace('-withdrawal', '')}`, {});
}

function destinationOf({ flow, address }: Payment) {
  if (flow === 'ledger') return { currency: 'XLM', destination: { type: 'ledger', address } };
  return { currency: 'USD', destination: { type: 'bank', accountRef: 'account-7' } };
}

export async function topupOf(api: Api, { userId }: Payment): Promise<string> {
  return idOfNewest(await api.get(`/topups?userId=${userId}`));
}

export async function withdrawalOf(api: Api, { userId }: Payment): Promise<string> {
  return idOfNewest(await api.get(`/withdrawals?userId=${userId}`));
}

function idOfNewest(response: ApiResponse): string {
  return textOf(listed(response)[0], 'id');
}

function listed({ data }: ApiResponse): readonly unknown[] {
  const items = Array.isArray(data) ? data : data['data'];
  return Array.isArray(items) ? (items as readonly unknown[]) : [];
}

/** Lets the provider move the payin or payout with our id, unless it has done so. */
export async function atProvider(
  sandbox: SandboxControl,
  kind: 'payins' | 'payouts',
  code: string,
  move: string,
): Promise<undefined> {
  const state = await sandbox.state();
  const found = state[kind].find((payment) => payment.code === code);
  if (found === undefined) throw new Error(`the payment provider has no ${kind} with the code ${code}`);
  const isOpen = kind === 'payins' ? found.status !== 'CONFIRMED' : !['COMPLETED', 'FAILED'].includes(found.status);
  if (isOpen) await sandbox.control(`/${kind}/${found.id}/${move}`);
}

/** Without a key, because a refusal while the money is being booked would be the response of every repeat. */
async function resolveCase(api: Api, { userId }: Payment): Promise<ApiResponse> {
  const caseId = idOfNewest(await api.get(`/reconciliation/cases?userId=${userId}`));
  return api.post(`/reconciliation/cases/${caseId}/resolve`, { action: 'credit', note: 'it arrived late' });
}

/** How long a payment may take to end on a loaded machine, where services die. */
const endTimeoutMs = 150_000;

/** The payment can be driven to its end, and is there with exactly one effect. */
export async function expectPaymentEnd(platform: Platform, payment: Payment): Promise<void> {
  await drivePaymentToEnd(platform, payment);
  await eventually(() => expectEnded(platform.api, payment), { timeoutMs: endTimeoutMs });
}

/** Repeats each step until the step is done, as a patient marketplace would. */
export async function drivePaymentToEnd(platform: Pick<Platform, 'api' | 'sandbox'>, payment: Payment): Promise<void> {
  const attempts: string[] = [];
  await eventually(
    async () => {
      for (const step of steps[payment.flow]) {
        const response = await callStep(platform, payment, step);
        attempts.push(`${step} ${response?.status.toString() ?? ''} ${response?.code ?? ''}`);
        expect([response?.status, response?.code]).not.toEqual([500, 'INTERNAL_ERROR']);
      }
      await expectPaid(platform.api, payment).catch((error: unknown) => {
        throw new Error(`${attempts.slice(-8).join('; ')}: ${String(error)}`);
      });
    },
    { timeoutMs: endTimeoutMs },
  );
}

/** The user was credited or charged exactly once. */
async function expectPaid(api: Api, { flow, userId }: Payment): Promise<void> {
  const { data } = await api.get(`/users/${userId}/balance?currency=${currencyOf(flow)}`);
  expect(data).toMatchObject({ available: left[flow], reserved: '0.00' });
}

/** The end of the flow as its record shows it. */
async function expectEnded(api: Api, payment: Payment): Promise<void> {
  const { flow, userId } = payment;
  const isTopup = flow === 'top-up' || flow === 'late';
  const [record] = listed(await api.get(`/${isTopup ? 'topups' : 'withdrawals'}?userId=${userId}`));
  expect([flow, textOf(record, 'status')]).toEqual([flow, finalStatuses[flow]]);
}

const finalStatuses: Readonly<Record<Flow, string>> = {
  'top-up': 'TOPUP_SUCCEEDED',
  late: 'TOPUP_CANCELED',
  bank: 'WITHDRAWAL_COMPLETED',
  ledger: 'WITHDRAWAL_COMPLETED',
  canceled: 'WITHDRAWAL_CANCELED',
  failed: 'WITHDRAWAL_FAILED',
};

const selectOpen = `
  select aggregate_id as id
  from payments.saga_runs
  where closed_at is null`;

/** Journal, payment provider and ledger network agree to the last unit, and no run is open. */
export async function expectPaymentsAgree({ api, database }: Platform): Promise<void> {
  await expectNoDifference(api);
  expect(await database.asAdmin(selectOpen)).toEqual([]);
}

/** Journal, payment provider and ledger network agree to the last unit. */
export async function expectNoDifference(api: Api): Promise<void> {
  await eventually(async () => {
    const { status, data } = await api.post('/reconciliation/reports', {});
    expect(status).toBe(201);
    const reports = data['reports'];
    const differences = (Array.isArray(reports) ? (reports as readonly unknown[]) : []).map(
      (report) => `${textOf(report, 'currency')} ${textOf(report, 'difference')}`,
    );
    expect(differences).toEqual(['USD 0.00', 'USDC 0.00', 'XLM 0.00']);
  });
}
