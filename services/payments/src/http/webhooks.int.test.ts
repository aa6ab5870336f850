import { topupCreditRequested } from '@holdfast/contracts/messages';
import { countedHeader, overLimitHeader } from '@holdfast/http/server';
import type { TopupRecord, WithdrawalRecord } from '@holdfast/contracts/http';
import { eventually } from '@holdfast/testing/eventually';
import { startPayments, type RunningPayments } from '../testing/running-payments.js';
import { forwardWebhook, sendWebhook } from '../testing/send-webhook.js';
import { newMessageId } from '../testing/signed-webhook.js';
import { aWithdrawal, commit, movePayout, payoutsOf } from '../testing/withdrawals.js';

let payments: RunningPayments;
beforeAll(async () => {
  payments = await startPayments();
});
afterAll(() => payments.stop());

const ok = (body: object) => ({ status: 200, body: { status: 'ok', ...body } });

async function aTopup(amount = '25.00'): Promise<TopupRecord> {
  const userId = await payments.aLinkedUser();
  const response = await payments.post('/topups', { userId, amount });
  expect(response.status).toBe(201);
  return response.data as TopupRecord;
}

async function statusOf({ id }: Pick<TopupRecord, 'id'>): Promise<string> {
  return ((await payments.get(`/topups/${id}`)).data as TopupRecord).status;
}

const becomes = (topup: Pick<TopupRecord, 'id'>, status: string) =>
  eventually(async () => expect(await statusOf(topup)).toBe(status));

function payinEvent(type: string, { id, providerPayinId, amount }: TopupRecord, data: object = {}) {
  return { type, data: { id: providerPayinId, code: id, amount: Number(amount), ...data } };
}

function creditsOf({ id }: TopupRecord): number {
  const commands = payments.ledger.commands.filter(
    ({ type, aggregateId }) => type === topupCreditRequested.type && aggregateId === id,
  );
  return new Set(commands.map((command) => command.id)).size;
}

describe('POST /webhooks/payment-provider', () => {
  it('200 credits a confirmed top-up once, however often and under however many ids it is reported', async () => {
    const topup = await aTopup();
    const confirmed = payinEvent('payin.confirmed', topup);
    const messageId = newMessageId();
    expect(await sendWebhook(payments, confirmed, { messageId })).toEqual(ok({ processed: true }));
    expect(await sendWebhook(payments, confirmed, { messageId })).toEqual(ok({ duplicate: true }));
    const others = await Promise.all([
      sendWebhook(payments, confirmed),
      sendWebhook(payments, confirmed, { prefix: 'svix' }),
      sendWebhook(payments, { ...payinEvent('', topup), eventType: 'payin.succeeded', eventId: newMessageId() }),
    ]);
    expect(others).toEqual(others.map(() => ok({ processed: true })));
    await becomes(topup, 'TOPUP_SUCCEEDED');
    expect(payments.ledger.balanceOf(topup.userId).available).toBe('25.00');
    expect(creditsOf(topup)).toBe(1);
    await eventually(() => expect(payments.eventsOf(topup.id).filter(({ type }) => type === 'topup.succeeded')).toHaveLength(1));
  });

  it('200 fails and cancels top-ups', async () => {
    const [failed, canceled] = [await aTopup(), await aTopup()];
    await sendWebhook(payments, payinEvent('payin.failed', failed, { reasonCode: 'R7', reasonDescription: 'declined' }));
    await sendWebhook(payments, payinEvent('payin.canceled', canceled));
    expect((await payments.get(`/topups/${failed.id}`)).data).toMatchObject({
      status: 'TOPUP_FAILED',
      failureReason: 'declined',
      errorCode: 'R7',
    });
    expect(await statusOf(canceled)).toBe('TOPUP_CANCELED');
  });

  it('200 settles and frees withdrawals once, in whichever order events arrive', async () => {
    const [completed, failed] = [await aWithdrawal(payments), await aWithdrawal(payments)];
    await Promise.all([commit(payments, completed), commit(payments, failed)]);
    const about = (type: string, code: string) => payoutsOf(payments, code).then(([data]) => ({ type, data }));
    const early = ['payout.completed', 'payout.pending', 'payout.created', 'payout.pending_user_action', 'payout.completed'];
    const types = [...early, 'payout.failed'];
    for (const type of types) expect(await sendWebhook(payments, await about(type, completed))).toEqual(ok({ processed: true }));
    for (const type of ['payout.pending_user_action', 'payout.failed', 'payout.pending', 'payout.failed'])
      expect(await sendWebhook(payments, await about(type, failed))).toEqual(ok({ processed: true }));
    for (const [id, status, available] of [
      [completed, 'WITHDRAWAL_COMPLETED', '60.00'],
      [failed, 'WITHDRAWAL_FAILED', '100.00'],
    ] as const)
      await eventually(async () => {
        const { data } = await payments.get(`/withdrawals/${id}`);
        expect(data).toMatchObject({ status });
        expect(payments.ledger.balanceOf((data as WithdrawalRecord).userId)).toEqual({ available, reserved: '0.00' });
      });
  });

  it('200 accepts our own id instead of the code', async () => {
    const topup = await aTopup();
    const event = { eventId: newMessageId(), eventType: 'payin.succeeded', data: { id: topup.id } };
    expect(await sendWebhook(payments, event)).toEqual(ok({ processed: true }));
    await becomes(topup, 'TOPUP_SUCCEEDED');
  });

  it('200 processed false for the payment of a stranger, and for a body that is not an event', async () => {
    const event = { type: 'payin.confirmed', data: { id: 'somebody-elses', code: 'theirs', amount: 10 } };
    expect(await sendWebhook(payments, event)).toEqual(ok({ processed: false }));
    expect(await sendWebhook(payments, { type: 'user.created', data: {} })).toEqual(ok({ processed: false }));
    expect(await sendWebhook(payments, 'no JSON')).toEqual(ok({ processed: false }));
  });

  it('401 WEBHOOK_SIGNATURE_INVALID changes nothing', async () => {
    const topup = await aTopup();
    const confirmed = payinEvent('payin.confirmed', topup);
    const refused = await Promise.all([
      sendWebhook(payments, confirmed, { secret: 'whsec_Zm9yZ2VkIHNlY3JldA==' }),
      sendWebhook(payments, confirmed, { ageMs: 6 * 60_000 }),
      sendWebhook(payments, confirmed, { headers: { 'webhook-signature': 'v1,AAAA' } }),
      sendWebhook(payments, confirmed, { headers: { 'webhook-id': 'another' } }),
      sendWebhook(payments, confirmed, { headers: { 'webhook-signature': '' } }),
    ]);
    expect(refused).toMatchObject(refused.map(() => ({ status: 401, body: { error: { code: 'WEBHOOK_SIGNATURE_INVALID' } } })));
    expect(await statusOf(topup)).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
  });

  it('401 WEBHOOK_SIGNATURE_INVALID for an event that is replayed after the tolerance', async () => {
    const topup = await aTopup();
    const replayed = { messageId: newMessageId(), ageMs: 5 * 60_000 + 2_000 };
    const response = await sendWebhook(payments, payinEvent('payin.confirmed', topup), replayed);
    expect(response.status).toBe(401);
  });
});

describe('a webhook, for the rate limit of its address', () => {
  const forged = { secret: 'whsec_Zm9yZ2VkIHNlY3JldA==' };
  const overLimit = { headers: { [overLimitHeader]: 'true' } };

  it.each([
    ['signed', {}, 200, null],
    ['wrongly signed', forged, 401, 'true'],
    ['unsigned', { headers: { 'webhook-signature': '' } }, 401, 'true'],
    ['signed, over the limit', overLimit, 200, null],
    ['wrongly signed, over the limit', { ...forged, ...overLimit }, 429, 'true'],
  ])('%s: the status and what the gateway reads', async (_, options, status, counted) => {
    const response = await forwardWebhook(payments, { type: 'payin.created', data: { id: newMessageId() } }, options);
    expect([response.status, response.headers.get(countedHeader)]).toEqual([status, counted]);
  });
});

type Found = { readonly kind: string; readonly amount: string; readonly status: string; readonly sourceId: string };
const casesOf = async (userId: string): Promise<readonly Found[]> =>
  (await payments.get(`/reconciliation/cases?userId=${userId}`)).data.data as readonly Found[];
const recordOf = async (id: string) =>
  (await payments.get(`/withdrawals/${id}`)).data as { status: string; userId: string; providerPayoutId: string };

const completed = (withdrawalId: string, payoutId: string, amount = 40) => ({
  type: 'payout.completed',
  data: { id: payoutId, code: withdrawalId, status: 'COMPLETED', amount },
});

describe('a webhook about a payout', () => {
  it('completes the withdrawal once, however often it arrives', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    const { providerPayoutId, userId } = await recordOf(id);
    await movePayout(payments, id, 'complete'); // else a comparison that runs meanwhile finds that the provider contradicts its event
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendWebhook(payments, completed(id, providerPayoutId))));
    for (const response of responses) expect(response).toMatchObject({ status: 200 });
    await eventually(async () => expect((await recordOf(id)).status).toBe('WITHDRAWAL_COMPLETED'));
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
    expect(await casesOf(userId)).toEqual([]);
  });
});

describe('a payout that the provider completes', () => {
  it('after the amount was released opens one case', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    await movePayout(payments, id, 'fail', 'The account is closed.');
    await payments.post(`/withdrawals/${id}/refresh`, {});
    const { status, providerPayoutId, userId } = await recordOf(id);
    expect(status).toBe('WITHDRAWAL_FAILED');
    await sendWebhook(payments, completed(id, providerPayoutId));
    await sendWebhook(payments, completed(id, providerPayoutId));
    expect(await casesOf(userId)).toMatchObject([
      { kind: 'unexplained_difference', amount: '-40.00', status: 'OPEN', sourceId: providerPayoutId },
    ]);
    expect((await recordOf(id)).status).toBe('WITHDRAWAL_FAILED');
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '100.00', reserved: '0.00' });
  });

  it('with another amount opens a case with the difference', async () => {
    const id = await aWithdrawal(payments);
    await commit(payments, id);
    const { providerPayoutId, userId } = await recordOf(id);
    await sendWebhook(payments, completed(id, providerPayoutId, 45));
    await eventually(async () => expect((await recordOf(id)).status).toBe('WITHDRAWAL_COMPLETED'));
    expect(await casesOf(userId)).toMatchObject([{ kind: 'amount_mismatch', amount: '-5.00' }]);
    expect(payments.ledger.balanceOf(userId)).toEqual({ available: '60.00', reserved: '0.00' });
  });
});

it('shows the payment provider', async () => {
  expect((await payments.get('/internal/providers', { type: 'system' })).data).toEqual({
    paymentProvider: { kind: 'sandbox', health: { status: 'healthy', latencyMs: expect.any(Number) as number } },
  });
});
