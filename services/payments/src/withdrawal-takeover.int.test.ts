import { startSandbox, type Sandbox } from '@holdfast/sandbox';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { TestResponse } from '@holdfast/testing/services';
import { startProviderProxy, type Interception, type ProviderProxy } from './testing/intercepting-proxy.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aWithdrawal, payoutsOf } from './testing/withdrawals.js';

let sandbox: Sandbox;
let proxy: ProviderProxy;
let payments: RunningPayments;

beforeAll(async () => {
  sandbox = await startSandbox({ log: silentLog });
  proxy = await startProviderProxy(sandbox.paymentProviderUrl);
  payments = await startPayments({
    PAYMENT_PROVIDER_URL: proxy.url,
    PAYMENT_PROVIDER_KEY: sandbox.paymentUser,
    PAYMENT_PROVIDER_SECRET: sandbox.paymentPassword,
    SETTLEMENT_TIMEOUT_MS: '60000',
  });
}, 120_000);
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
  await sandbox.close();
});

/** A process that dies in a call loses its lease, and another one continues. The response is that of the waiting request. */
async function dieIn(id: string, call: RegExp, interception: Interception): Promise<TestResponse> {
  proxy.interceptNext(call, interception);
  const callsBefore = proxy.calls.length;
  const response = payments.post(`/withdrawals/${id}/commit`, {});
  await eventually(() => expect(proxy.calls.slice(callsBefore).some((each) => call.test(each))).toBe(true));
  if (interception.kind === 'no-response') await eventually(async () => expect(await payoutsOf({ sandbox }, id)).toHaveLength(1));
  await payments.database.asAdmin(
    `update payments.intents set lease_owner = 'another', lease_until = '-infinity' where subject = $1 and closed_at is null`,
    [id],
  );
  return response;
}

describe('a process that dies', () => {
  it.each<readonly [string, RegExp, Interception]>([
    ['before the payout is created', /^POST \/payouts$/, { kind: 'no-request' }],
    ['after the payout is created', /^POST \/payouts$/, { kind: 'no-response' }],
    ['before the payout is committed', /^POST \/payouts\/[^/]+\/commit$/, { kind: 'no-request' }],
    ['after the payout is committed', /^POST \/payouts\/[^/]+\/commit$/, { kind: 'no-response' }],
  ])(
    '%s, leaves one payout to another process',
    async (_, call, interception) => {
      const id = await aWithdrawal(payments);
      expect((await dieIn(id, call, interception)).data).toMatchObject({ status: 'WITHDRAWAL_PENDING' });
      expect(await payoutsOf({ sandbox }, id)).toMatchObject([{ status: 'COMMITTED', amount: 40 }]);
      await eventually(() =>
        expect(payments.eventsOf(id).map(({ type }) => type)).toEqual([
          'withdrawal.created',
          'withdrawal.committed',
          'withdrawal.pending',
        ]),
      );
    },
    60_000,
  );
});

describe('a payout that the provider changes or refuses', () => {
  it('with another amount is never committed, but canceled, and the amount is released', async () => {
    const id = await aWithdrawal(payments);
    proxy.interceptNext(/^POST \/payouts$/, { kind: 'changed', change: (body) => ({ ...body, amount: 4_000 }) });
    expect((await payments.post(`/withdrawals/${id}/commit`, {})).data).toMatchObject({
      status: 'WITHDRAWAL_FAILED',
      failureReason: 'The payment provider has changed the amount.',
    });
    expect(await payoutsOf({ sandbox }, id)).toMatchObject([{ status: 'CANCELED' }]);
  }, 60_000);
});
