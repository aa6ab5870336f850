import { readFileSync } from 'node:fs';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import type { PayinUpdate, PayoutUpdate } from '../domain/provider-updates.js';
import { readPaymentEvent } from '../providers/payment-events.js';
import { payments } from '../service.js';
import { webhookSecret } from '../testing/running-payments.js';
import { newMessageId, signedWebhook, type WebhookOptions } from '../testing/signed-webhook.js';
import type { UpdateResult } from '../use-cases/apply-payin-update.js';
import { createPaymentWebhooks, type PaymentWebhooks } from './payment-webhooks.js';

type Applied = PayinUpdate | PayoutUpdate;

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await serviceDatabase(payments);
  database = await test.open({ service: 'payments', migrations: migrationFoldersOf(payments) });
});
afterAll(() => test.drop());

type Receiver = {
  readonly applied: readonly Applied[];
  readonly counts: () => Promise<string>;
  /** What applying an update does next. */
  act: (update: Applied) => Promise<UpdateResult>;
  readonly send: (body: unknown, options?: WebhookOptions) => ReturnType<PaymentWebhooks['receive']>;
  /** Makes all open events due, and runs the job that retries them. */
  readonly retry: () => Promise<void>;
};

function aReceiver(): Receiver {
  const clock = systemClock();
  const log = silentLog;
  const metrics = createMetrics({ service: 'payments', processMetrics: false });
  const applied: Applied[] = [];
  const runtime = {
    config: { PAYMENT_WEBHOOK_SECRET: webhookSecret },
    database,
    clock,
    metrics,
    newId: idFactory(clock.epochMs),
    log,
    wake: () => undefined,
  };
  const apply = async (update: Applied): Promise<UpdateResult> => {
    const result = await receiver.act(update);
    applied.push(update);
    return result;
  };
  const webhooks = createPaymentWebhooks(runtime, { readEvent: readPaymentEvent, applyPayin: apply, applyPayout: apply });
  const receiver: Receiver = {
    applied,
    counts: () => metrics.registry.metrics(),
    act: () => Promise.resolve('applied'),
    send: (body, options) =>
      webhooks.receive(signedWebhook(body, options), { requestId: 'req', at: clock.now(), log }, () => undefined),
    retry: async () => {
      await test.asAdmin('update payments.webhook_events set next_attempt_at = now() where result is null');
      await webhooks.jobs.find(({ name }) => name === 'webhook-events')?.run(AbortSignal.timeout(60_000));
    },
  };
  return receiver;
}

const aPayinEvent = (id = newMessageId()) => ({ type: 'payin.confirmed', data: { id, code: `topup_${id}`, amount: 10 } });
const passing = () => Promise.reject(new Error('the database is busy'));

type Row = { readonly eventType: string; readonly result: string | null; readonly attempts: number; readonly body: Buffer };

async function rowOf(providerEventId: string): Promise<Row | undefined> {
  const sql =
    'select event_type as "eventType", result, attempts, body from payments.webhook_events where provider_event_id = $1';
  return (await test.asAdmin<Row>(sql, [providerEventId]))[0];
}

describe('an event', () => {
  it('is stored, applied and acknowledged', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    expect(await receiver.send(aPayinEvent('p1'), { messageId })).toEqual({ status: 'ok', processed: true });
    expect(receiver.applied).toMatchObject([{ providerId: 'p1', outcome: 'succeeded' }]);
    expect(await rowOf(messageId)).toMatchObject({ eventType: 'payin.confirmed', result: 'applied', attempts: 1 });
  });

  it('about a payout is applied as one', async () => {
    const receiver = aReceiver();
    expect(await receiver.send({ type: 'payout.completed', data: { id: 'p2' } })).toEqual({ status: 'ok', processed: true });
    expect(receiver.applied).toMatchObject([{ providerId: 'p2', outcome: 'completed' }]);
  });

  it('that changes nothing is processed, too', async () => {
    const receiver = aReceiver();
    receiver.act = () => Promise.resolve('unchanged');
    expect(await receiver.send(aPayinEvent())).toEqual({ status: 'ok', processed: true });
  });

  it('that is sent again is a duplicate, with any headers', async () => {
    const receiver = aReceiver();
    const [messageId, event] = [newMessageId(), aPayinEvent()];
    await receiver.send(event, { messageId });
    expect(await receiver.send(event, { messageId })).toEqual({ status: 'ok', duplicate: true });
    expect(await receiver.send(event, { messageId, prefix: 'svix' })).toEqual({ status: 'ok', duplicate: true });
    expect(receiver.applied).toHaveLength(1);
    expect(await receiver.counts()).toMatch(/holdfast_webhook_events_total\{outcome="duplicate",.*\} 2/);
  });

  it('has the id in its body, else the id of the message', async () => {
    const receiver = aReceiver();
    const event = { eventId: newMessageId(), eventType: 'payin.succeeded', data: { id: 'p3' } };
    await receiver.send(event);
    expect(await receiver.send(event)).toEqual({ status: 'ok', duplicate: true });
    expect(await rowOf(event.eventId)).toMatchObject({ result: 'applied' });
  });

  it('with a wrong signature leaves nothing behind', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    const forged = { messageId, secret: 'whsec_Zm9yZ2Vk' };
    await expect(receiver.send(aPayinEvent(), forged)).rejects.toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
    expect(await rowOf(messageId)).toBeUndefined();
    expect(await receiver.counts()).toMatch(/holdfast_webhook_events_total\{outcome="refused",.*\} 1/);
  });
});

describe('an event that nothing can be done with', () => {
  it.each([
    ['an unknown type', { type: 'payin.exploded', data: { id: 'p1' } }],
    ['no JSON', 'type=payin.confirmed'],
    ['a NUL', '{"type":"payin.confirmed\u0000"}'],
    ['an array', []],
    ['an empty body', ''],
  ])('%s is stored as it was received, and ignored', async (_name, body) => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    expect(await receiver.send(body, { messageId })).toEqual({ status: 'ok', processed: false });
    expect(await receiver.send(body, { messageId })).toEqual({ status: 'ok', duplicate: true });
    const row = await rowOf(messageId);
    expect(row).toMatchObject({ result: 'ignored', attempts: 0 });
    expect(row?.body.toString()).toBe(typeof body === 'string' ? body : JSON.stringify(body));
    expect(receiver.applied).toEqual([]);
  });

  it('is about an unknown payment: it is tried a few times more, and then ignored', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    receiver.act = () => Promise.resolve('unknown');
    expect(await receiver.send(aPayinEvent(), { messageId })).toEqual({ status: 'ok', processed: false });
    for (let attempt = 2; attempt <= 4; attempt += 1) {
      expect(await rowOf(messageId)).toMatchObject({ result: null, attempts: attempt - 1 });
      await receiver.retry();
    }
    expect(await rowOf(messageId)).toMatchObject({ result: 'ignored', attempts: 4 });
  });
});

describe('an event that could not be applied', () => {
  it('is acknowledged, and applied by the next attempt', async () => {
    const receiver = aReceiver();
    const [messageId, event] = [newMessageId(), aPayinEvent()];
    receiver.act = passing;
    expect(await receiver.send(event, { messageId })).toEqual({ status: 'ok', processed: false });
    expect(await rowOf(messageId)).toMatchObject({ result: null, attempts: 1 });
    receiver.act = () => Promise.resolve('applied');
    expect(await receiver.send(event, { messageId })).toEqual({ status: 'ok', duplicate: true });
    await receiver.retry();
    expect(receiver.applied.map(({ providerId }) => providerId)).toContain(event.data.id);
    expect(await rowOf(messageId)).toMatchObject({ result: 'applied', attempts: 2 });
  });
});

it('an event that the version before has left is moved by the migration, and applied', async () => {
  const receiver = aReceiver();
  const [open, done] = [newMessageId(), newMessageId()];
  const event = aPayinEvent();
  const insert = `
    insert into payments.provider_events (id, provider_event_id, event_type, body, received_at, result, attempts, next_attempt_at)
    values ('whe_' || $1, $1, 'payin.confirmed', $2, now(), $3, 1, $4)`;
  await test.asAdmin(insert, [open, Buffer.from(JSON.stringify(event)), null, new Date(0)]);
  await test.asAdmin(insert, [done, Buffer.from(JSON.stringify(event)), 'applied', null]);
  const file = new URL('../../migrations/0007-events-in-the-webhook-inbox.sql', import.meta.url);
  await test.asAdmin(`begin; set local search_path = payments; ${readFileSync(file, 'utf8')}; commit`);
  await receiver.retry();
  expect(receiver.applied).toMatchObject([{ providerId: event.data.id, outcome: 'succeeded' }]);
  expect(await rowOf(open)).toMatchObject({ result: 'applied', attempts: 2 });
  expect(await receiver.send(event, { messageId: done })).toEqual({ status: 'ok', duplicate: true });
  expect(await test.asAdmin('select from payments.provider_events')).toEqual([]);
});
