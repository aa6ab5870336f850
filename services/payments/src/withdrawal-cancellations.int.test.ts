import {
  withdrawalLedgerPayoutFailed,
  withdrawalLedgerPayoutLanded,
  withdrawalLedgerPayoutRequested,
  type Envelope,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { startProviderProxy, type ProviderProxy } from './testing/provider-proxy.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { aPayee, aWithdrawal, commit, foreignAddress, payoutsOf } from './testing/withdrawals.js';

let payments: RunningPayments;
let proxy: ProviderProxy;
/** Its requests wait for a short time only. */
let impatient: ServiceTestClient;

beforeAll(async () => {
  proxy = await startProviderProxy();
  const settings = { PAYOUTS_PER_HOUR_MAX: '4000.00', PAYMENT_PROVIDER_URL: proxy.url };
  payments = await startPayments(settings, { providerTimeoutMs: 1_000 });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
  impatient = await payments.startReplica({ SETTLEMENT_TIMEOUT_MS: '500', PAYMENT_PROVIDER_URL: proxy.url });
});
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

const cancel = (id: string, client: ServiceTestClient = payments) =>
  client.post(`/withdrawals/${id}/cancel`, { reason: 'changed my mind' });
const balanceOfOwner = async (id: string) =>
  payments.ledger.balanceOf((await payments.get(`/withdrawals/${id}`)).data.userId as string);

/** A withdrawal that is committed and waits, because the hourly cap is used up. Its payout is created at the provider. */
async function aWaitingWithdrawal(): Promise<string> {
  const others = await aWithdrawalOf(await aPayee(payments, '3000.00'), '1500.00');
  await commit(payments, others);
  const id = await aWithdrawalOf(await aPayee(payments, '3000.00'), '2501.00');
  expect(await commit(impatient, id)).toMatchObject({ status: 504 });
  return id;
}

async function aWithdrawalOf(userId: string, amount: string, given: object = {}): Promise<string> {
  const destination = { type: 'bank', accountRef: 'account-7' };
  const response = await payments.post('/withdrawals', { userId, amount, currency: 'USD', destination, ...given });
  expect([response.status, response.code]).toEqual([201, undefined]);
  return response.data.id as string;
}

describe('POST /withdrawals/{id}/cancel of a committed withdrawal through the payment provider', () => {
  it('200 cancels a payout that waits, at the provider first', async () => {
    const id = await aWaitingWithdrawal();
    await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CREATED' }]));
    const response = await cancel(id);
    expect(response).toMatchObject({ status: 200, data: { status: 'WITHDRAWAL_CANCELED' } });
    expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'CANCELED' }]);
    expect(await balanceOfOwner(id)).toEqual({ available: '3000.00', reserved: '0.00' });
    await eventually(() =>
      expect(payments.eventsOf(id).map(({ type }) => type)).toEqual([
        'withdrawal.created',
        'withdrawal.committed',
        'withdrawal.canceled',
      ]),
    );
    expect(payments.eventsOf(id).at(-1)?.payload).toMatchObject({ reason: 'changed my mind' });
    expect(await cancel(id)).toMatchObject({ status: 409, code: 'INVALID_STATE' });
  });

  it('200 if the provider has never got the payout', async () => {
    const id = await aWithdrawal(payments);
    const creations = () => proxy.requests.filter((name) => /^POST .*payouts$/.test(name)).length;
    const before = creations();
    proxy.interceptNext(/^POST .*payouts$/, 'no-request');
    const committing = commit(payments, id);
    await eventually(() => expect(creations()).toBeGreaterThan(before));
    expect(await cancel(id)).toMatchObject({ status: 200, data: { status: 'WITHDRAWAL_CANCELED' } });
    expect((await committing).status).toBe(200);
    expect(await payoutsOf(payments, id)).toEqual([]);
    expect(await balanceOfOwner(id)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it('409 INVALID_STATE if the payout was committed although its response was lost', async () => {
    const id = await aWithdrawal(payments);
    proxy.interceptNext(/^POST .*payouts.*commit/, 'no-response');
    const committing = commit(payments, id);
    await eventually(async () => expect(await payoutsOf(payments, id)).toMatchObject([{ status: 'COMMITTED' }]));
    expect(await cancel(id)).toMatchObject({
      status: 409,
      code: 'INVALID_STATE',
      details: { currentStatus: 'WITHDRAWAL_PENDING' },
    });
    expect((await committing).status).toBe(200);
    expect(await balanceOfOwner(id)).toEqual({ available: '60.00', reserved: '40.00' });
  });

  it('has one outcome whenever it comes, and 20 parallel ones have one effect', async () => {
    for (let round = 0; round < 5; round += 1) {
      const id = await aWithdrawal(payments);
      const committing = commit(payments, id);
      await eventually(async () => expect((await payments.get(`/withdrawals/${id}`)).data.status).not.toBe('WITHDRAWAL_CREATED'));
      const responses = await Promise.all(Array.from({ length: 20 }, () => cancel(id)));
      await committing;
      const { status } = (await payments.get(`/withdrawals/${id}`)).data;
      const isCanceled = status === 'WITHDRAWAL_CANCELED';
      expect(status).toBe(isCanceled ? 'WITHDRAWAL_CANCELED' : 'WITHDRAWAL_PENDING');
      if (!isCanceled) expect(responses.map((response) => response.status)).toEqual(Array(20).fill(409));
      const sent = (await payoutsOf(payments, id)).filter((payout) => payout.status === 'COMMITTED');
      expect(sent).toHaveLength(isCanceled ? 0 : 1);
      const balance = isCanceled ? { available: '100.00', reserved: '0.00' } : { available: '60.00', reserved: '40.00' };
      expect(await balanceOfOwner(id)).toEqual(balance);
    }
  }, 120_000);
});

describe('POST /withdrawals/{id}/cancel of a committed withdrawal to the ledger network', () => {
  async function aLedgerWithdrawal(): Promise<{ readonly id: string; readonly command: Envelope }> {
    payments.ledger.replyNextWith(withdrawalLedgerPayoutRequested, () => undefined);
    const destination = { type: 'ledger', address: foreignAddress };
    const id = await aWithdrawal(payments, { destination });
    expect(await commit(impatient, id)).toMatchObject({ status: 504 });
    const command = payments.ledger.commands.find(
      ({ type, aggregateId }) => type === withdrawalLedgerPayoutRequested.type && aggregateId === id,
    );
    if (command === undefined) throw new Error('the payout was not requested');
    return { id, command };
  }

  const reply = (command: Envelope, { type, version, aggregateType }: MessageDeclaration, given: object) =>
    payments.publish([
      {
        ...command,
        id: payments.newId('evt'),
        type,
        version,
        aggregateType,
        payload: { ...(command.payload as object), ...given },
      },
    ]);

  async function whileCanceling(id: string, act: () => Promise<unknown>) {
    const canceling = cancel(id);
    await eventually(() => expect(payments.payoutsCanceled.has(id)).toBe(true));
    await act();
    return canceling;
  }

  it('200 once escrow-adapter has replied that nothing was paid', async () => {
    const { id, command } = await aLedgerWithdrawal();
    const response = await whileCanceling(id, () => reply(command, withdrawalLedgerPayoutFailed, { reason: 'canceled' }));
    expect(response).toMatchObject({ status: 200, data: { status: 'WITHDRAWAL_CANCELED', failureReason: null } });
    expect(await balanceOfOwner(id)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it('409 INVALID_STATE if the payment was faster', async () => {
    const { id, command } = await aLedgerWithdrawal();
    const transactionHash = 'a'.repeat(64);
    const response = await whileCanceling(id, () => reply(command, withdrawalLedgerPayoutLanded, { transactionHash }));
    expect(response).toMatchObject({ status: 409, code: 'INVALID_STATE' });
    await eventually(async () =>
      expect((await payments.get(`/withdrawals/${id}`)).data).toMatchObject({ status: 'WITHDRAWAL_COMPLETED' }),
    );
    expect(await balanceOfOwner(id)).toEqual({ available: '60.00', reserved: '0.00' });
  });
});
