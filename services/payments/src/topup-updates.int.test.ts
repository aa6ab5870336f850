import type { TopupRecord } from '@holdfast/contracts/http';
import { balanceTopupRefused, testClockAdvanced, topupCreditRequested } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import type { ServiceTestClient } from '@holdfast/testing/services';
import { startProviderProxy, type Change, type ProviderProxy } from './testing/provider-proxy.js';
import { startPayments, type RunningPayments } from './testing/running-payments.js';
import { reply } from './testing/simulated-ledger.js';
import {
  aTopup,
  atProvider,
  makeDue,
  makeExpired,
  payinsOf,
  returnBrowser,
  sendEvent,
  statusOf,
  typesOf,
} from './testing/topups.js';

let proxy: ProviderProxy;
let payments: RunningPayments;
let replica: ServiceTestClient;

beforeAll(async () => {
  proxy = await startProviderProxy();
  payments = await startPayments({ PAYMENT_PROVIDER_URL: proxy.url });
  proxy.setTarget(payments.sandbox.paymentProviderUrl);
  replica = await payments.startReplica();
});

afterEach(() => proxy.setChange(undefined));
afterAll(async () => {
  await payments.stop();
  await proxy.stop();
});

const confirmed = ({ id: code, providerPayinId: id }: TopupRecord, amount = 50) =>
  sendEvent(payments, 'payin.confirmed', { id, code, amount, status: 'CONFIRMED' });

async function casesOf(userId: string): Promise<readonly Record<string, unknown>[]> {
  return (await payments.get(`/reconciliation/cases?userId=${userId}`, { scopes: ['support'] })).data.data as [];
}

async function becomes(id: string, status: string): Promise<void> {
  await eventually(async () => expect(await statusOf(payments, id)).toBe(status));
}

/** Every response about a pay-in says this instead. */
const says =
  (fields: Readonly<Record<string, unknown>>): Change =>
  ({ path }, response) =>
    path.startsWith('/payins/') ? { ...response, body: { ...(response.body as object), ...fields } } : response;

describe('a payment that is received', () => {
  it('is credited once, although event, refresh, callback and poll report it at once on two replicas', async () => {
    const topups = await Promise.all(Array.from({ length: 5 }, () => aTopup(payments)));
    await Promise.all(
      topups.map(async (topup) => {
        await atProvider(payments, topup, 'confirm');
        await Promise.all([
          makeDue(payments, topup.id),
          confirmed(topup),
          confirmed(topup),
          returnBrowser(payments, topup.id),
          ...[payments, replica, payments, replica].map((client) => client.post(`/topups/${topup.id}/refresh`, {})),
        ]);
        await becomes(topup.id, 'TOPUP_SUCCEEDED');
      }),
    );
    for (const { id, userId } of topups) {
      expect(payments.ledger.balanceOf(userId).available).toBe('50.00');
      await eventually(() =>
        expect(typesOf(payments, id)).toEqual([
          'topup.created',
          'topup.confirmation_required',
          'topup.processing',
          'topup.succeeded',
        ]),
      );
      expect(payments.auditsOf(id)).toHaveLength(4);
      expect(await casesOf(userId)).toEqual([]);
    }
  });

  it('is learned by the poll alone', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'confirm');
    await makeDue(payments, topup.id);
    await becomes(topup.id, 'TOPUP_SUCCEEDED');
  });

  it('is credited although its event overtakes the response that creates the pay-in', async () => {
    const userId = await payments.aLinkedUser();
    let learned: Promise<unknown> = Promise.resolve();
    proxy.setChange(({ method, path }, response) => {
      const { id, code, confirmationUri } = response.body as Record<string, unknown>;
      // The response is lost; the event reports the rest.
      if (method !== 'POST' || path !== '/payins') return response;
      learned = sendEvent(payments, 'payin.confirmed', { id, code, amount: 7, confirmationUri });
      return { status: 500, body: {} };
    });
    const { status, data } = await payments.post('/topups', { userId, amount: '7.00' });
    expect(status).toBe(201);
    await learned;
    await becomes(data.id, 'TOPUP_SUCCEEDED');
    expect(payments.ledger.balanceOf(userId).available).toBe('7.00');
    expect(await payinsOf(payments, data.id)).toHaveLength(1);
  });

  it('shows TOPUP_PROCESSING while the provider processes it, then succeeds', async () => {
    const topup = await aTopup(payments);
    proxy.setChange(says({ status: 'PROCESSING' }));
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_PROCESSING');
    proxy.setChange(undefined);
    await atProvider(payments, topup, 'confirm');
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_SUCCEEDED');
    await eventually(() => expect(typesOf(payments, topup.id).slice(2)).toEqual(['topup.processing', 'topup.succeeded']));
  });

  it('is not final under a status that we do not know', async () => {
    const topup = await aTopup(payments);
    proxy.setChange(says({ status: 'BRIDGE_CONFUSED' }));
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
  });

  it('of another amount fails the top-up and is held in one case', async () => {
    const topup = await aTopup(payments);
    await confirmed(topup, 49.99);
    await becomes(topup.id, 'TOPUP_FAILED');
    await confirmed(topup, 49.99);
    await confirmed(topup, 50);
    const { id, userId, providerPayinId: sourceId } = topup;
    expect(await casesOf(userId)).toMatchObject([
      { kind: 'amount_mismatch', amount: '49.99', source: 'payment_provider', sourceId },
    ]);
    expect(payments.ledger.balanceOf(userId).available).toBe('0.00');
    await eventually(() => expect(typesOf(payments, id).at(-1)).toBe('topup.failed'));
  });

  it.each([
    ['TOPUP_CANCELED', 'payin.canceled'],
    ['TOPUP_FAILED', 'payin.failed'],
  ])('after %s is held in one case and changes nothing else', async (status, ended) => {
    const topup = await aTopup(payments);
    const { id, userId, providerPayinId } = topup;
    await sendEvent(payments, ended, { id: providerPayinId, code: id, amount: 50 });
    await becomes(id, status);
    await eventually(() => expect(typesOf(payments, id)).toContain(ended.replace('payin', 'topup')));
    const events = typesOf(payments, id);
    await confirmed(topup);
    await confirmed(topup);
    expect(await casesOf(userId)).toMatchObject([{ kind: 'late_money', amount: '50.00', sourceId: providerPayinId }]);
    expect(await statusOf(payments, id)).toBe(status);
    expect(typesOf(payments, id)).toEqual(events);
    expect(payments.ledger.balanceOf(userId).available).toBe('0.00');
  });

  it('after a cancellation is found by a refresh, too', async () => {
    const topup = await aTopup(payments);
    await sendEvent(payments, 'payin.canceled', { id: topup.providerPayinId, code: topup.id, amount: 50 });
    await becomes(topup.id, 'TOPUP_CANCELED');
    await atProvider(payments, topup, 'confirm');
    expect((await payments.post(`/topups/${topup.id}/refresh`, {})).data.status).toBe('TOPUP_CANCELED');
    expect(await casesOf(topup.userId)).toMatchObject([{ kind: 'late_money' }]);
  });

  it('that the balance cannot take fails the top-up and is held in a case', async () => {
    const topup = await aTopup(payments);
    payments.ledger.replyNextWith(topupCreditRequested, (command) =>
      reply(balanceTopupRefused, { ...command, code: 'LIMIT_EXCEEDED', details: {} }),
    );
    await confirmed(topup);
    await becomes(topup.id, 'TOPUP_FAILED');
    const { data } = await payments.get(`/topups/${topup.id}`);
    expect(data).toMatchObject({ errorCode: 'LIMIT_EXCEEDED', failureReason: expect.any(String) });
    expect(await casesOf(topup.userId)).toMatchObject([{ kind: 'late_money', amount: '50.00' }]);
    await confirmed(topup);
    expect(await casesOf(topup.userId)).toHaveLength(1);
  });
});

describe('updates that do not fit', () => {
  it('change nothing after a success, and are logged', async () => {
    const topup = await aTopup(payments);
    await confirmed(topup);
    await becomes(topup.id, 'TOPUP_SUCCEEDED');
    const late = ['payin.failed', 'payin.canceled', 'payin.created', 'payin.processing', 'payin.awaiting_user_confirmation'];
    for (const type of late) await sendEvent(payments, type, { id: topup.providerPayinId, code: topup.id, amount: 50 });
    expect(await statusOf(payments, topup.id)).toBe('TOPUP_SUCCEEDED');
    expect(payments.ledger.balanceOf(topup.userId).available).toBe('50.00');
    const facts = payments.log.lines.filter(({ fields }) => fields['topupId'] === topup.id).map(({ fact }) => fact);
    expect(facts.filter((fact) => fact === 'ignored an update that does not fit the top-up')).toHaveLength(2);
  });
});

describe('a top-up that expires', () => {
  it('is canceled at the provider by the system', async () => {
    const topup = await aTopup(payments);
    await makeExpired(payments, topup.id);
    await makeDue(payments, topup.id);
    await becomes(topup.id, 'TOPUP_CANCELED');
    expect(await payinsOf(payments, topup.id)).toMatchObject([{ status: 'CANCELED' }]);
    await eventually(() => expect(payments.eventsOf(topup.id)).toHaveLength(3));
    await eventually(() =>
      expect(payments.eventsOf(topup.id)[2]).toMatchObject({ payload: { canceledBy: 'system', reason: 'expired' } }),
    );
  });

  it('is credited if it was paid in the last moment', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'confirm');
    await makeExpired(payments, topup.id);
    await makeDue(payments, topup.id);
    await becomes(topup.id, 'TOPUP_SUCCEEDED');
  });
});

describe('the test clock of a marketplace', () => {
  const daySeconds = 86_400;
  const asIdentity = { type: 'system', id: 'identity', scopes: [] } as const;
  const reported = async () => (await replica.get(`/internal/test-clocks/${defaultMarketplaceId}`, asIdentity)).data;

  async function advanceTo(
    offsetSeconds: number,
    marketplaceId: 'mkt_other' | typeof defaultMarketplaceId = defaultMarketplaceId,
  ) {
    const { type, version, aggregateType } = testClockAdvanced;
    const about = { aggregateType, aggregateId: marketplaceId, aggregateVersion: offsetSeconds, marketplaceId };
    const payload = { marketplaceId, offsetSeconds };
    const sent = { occurredAt: payments.clock.now(), correlationId: 'test', payload };
    await payments.publish([{ id: payments.newId('evt'), type, version, ...about, ...sent }]);
  }

  it('expires top-ups in the order of their times, and gives new ones theirs by it', async () => {
    const topups = [];
    for (let count = 0; count < 3; count += 1) topups.push(await aTopup(payments));
    await advanceTo(16 * daySeconds, 'mkt_other');
    await advanceTo(14 * daySeconds);
    await eventually(async () => expect(await reported()).toEqual({ offsetSeconds: 14 * daySeconds, remaining: [] }));
    expect(await statusOf(payments, topups[0]?.id ?? '')).toBe('TOPUP_AWAITING_USER_CONFIRMATION');
    await advanceTo(16 * daySeconds);
    await advanceTo(daySeconds); // an older message
    await eventually(async () => expect(await reported()).toEqual({ offsetSeconds: 16 * daySeconds, remaining: [] }));
    for (const { id } of topups) expect(await statusOf(payments, id)).toBe('TOPUP_CANCELED');
    const next = await aTopup(payments);
    const leftMs = Date.parse(next.expiresAt ?? '') - Date.parse(next.createdAt);
    expect(Math.round(leftMs / 1_000 / daySeconds)).toBe(31);
    expect((await reported()).remaining).toEqual([]);
  });

  it('credits a top-up that was paid before it expired', async () => {
    const topup = await aTopup(payments);
    await atProvider(payments, topup, 'confirm');
    await advanceTo(40 * daySeconds);
    await becomes(topup.id, 'TOPUP_SUCCEEDED');
  });
});
