import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createMetrics } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { collectingLog, type CollectingLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import type { PayinUpdate, PayoutUpdate } from './domain/provider-updates.js';
import { payments } from './service.js';
import { webhookSecret } from './testing/running-payments.js';
import { newMessageId, signedWebhook, type WebhookOptions } from './testing/signed-webhook.js';
import type { UpdateResult } from './use-cases/apply-payin-update.js';
import { createEventReceiver, type Webhooks } from './webhooks.js';

type Applied = PayinUpdate | PayoutUpdate;

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await serviceDatabase(payments);
  database = await test.open({ service: 'payments', migrations: migrationFoldersOf(payments) });
});
afterAll(() => test.drop());

type Receiver = Webhooks & {
  readonly applied: readonly Applied[];
  readonly log: CollectingLog;
  readonly counts: () => Promise<string>;
  /** What applying an update does next. */
  act: (update: Applied) => Promise<UpdateResult>;
  readonly send: (body: unknown, options?: WebhookOptions) => ReturnType<Webhooks['receive']>;
  /** Makes all open events due, and runs the job that retries them. */
  readonly retry: () => Promise<void>;
  readonly runJob: (name: string) => Promise<void>;
};

function aReceiver(): Receiver {
  const clock = systemClock();
  const log = collectingLog();
  const metrics = createMetrics({ service: 'payments', processMetrics: false });
  const applied: Applied[] = [];
  const runtime = {
    config: { PAYMENT_WEBHOOK_SECRET: webhookSecret },
    database,
    clock,
    metrics,
    newId: idFactory(clock.epochMs),
    log,
  };
  const apply = async (update: Applied): Promise<UpdateResult> => {
    const result = await receiver.act(update);
    applied.push(update);
    return result;
  };
  const webhooks = createEventReceiver(runtime, { applyPayin: apply, applyPayout: apply });
  const receiver: Receiver = {
    ...webhooks,
    applied,
    log,
    counts: () => metrics.registry.metrics(),
    act: () => Promise.resolve('applied'),
    send: (body, options) =>
      webhooks.receive(signedWebhook(body, options), { requestId: 'req', at: clock.now(), log }, () => undefined),
    retry: async () => {
      await test.asAdmin('update payments.provider_events set next_attempt_at = now() where result is null');
      await receiver.runJob('provider-events');
    },
    runJob: async (name) => {
      await webhooks.jobs.find((job) => job.name === name)?.run(AbortSignal.timeout(60_000));
    },
  };
  return receiver;
}

const aPayinEvent = (id = newMessageId()) => ({ type: 'payin.confirmed', data: { id, code: `topup_${id}`, amount: 10 } });
const passing = () => Promise.reject(new Error('the database is busy'));

type Row = { readonly eventType: string; readonly result: string | null; readonly attempts: number; readonly body: Buffer };

async function rowOf(providerEventId: string): Promise<Row | undefined> {
  const sql =
    'select event_type as "eventType", result, attempts, body from payments.provider_events where provider_event_id = $1';
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
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_events_total\{outcome="duplicate",.*\} 2/);
  });

  it('has the id in its body, else that of the message', async () => {
    const receiver = aReceiver();
    const event = { eventId: newMessageId(), eventType: 'payin.succeeded', data: { id: 'p3' } };
    await receiver.send(event);
    expect(await receiver.send(event)).toEqual({ status: 'ok', duplicate: true });
    expect(await rowOf(event.eventId)).toMatchObject({ result: 'applied' });
  });

  it('is applied once, however many copies arrive at two replicas at the same time', async () => {
    const [one, other] = [aReceiver(), aReceiver()];
    const events = Array.from({ length: 20 }, () => ({ event: aPayinEvent(), messageId: newMessageId() }));
    const copies = Array.from({ length: 6 }, (_, copy) => (copy % 2 === 0 ? one : other)).flatMap((receiver, copy) =>
      (copy % 3 === 0 ? events : events.toReversed()).map(({ event, messageId }) => receiver.send(event, { messageId })),
    );
    const responses = await Promise.all(copies);
    expect(responses.filter((response) => 'processed' in response)).toHaveLength(20);
    expect([...one.applied, ...other.applied].map(({ providerId }) => providerId).toSorted()).toEqual(
      events.map(({ event }) => event.data.id).toSorted(),
    );
  });

  it('with a wrong signature leaves nothing behind', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    const forged = { messageId, secret: 'whsec_Zm9yZ2Vk' };
    await expect(receiver.send(aPayinEvent(), forged)).rejects.toMatchObject({ code: 'WEBHOOK_SIGNATURE_INVALID' });
    expect(await rowOf(messageId)).toBeUndefined();
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_events_total\{outcome="refused",.*\} 1/);
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
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_event_lag_seconds_count\{.*\} 0/);
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

  it('is measured with the whole time that it waited', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    receiver.act = passing;
    await receiver.send(aPayinEvent(), { messageId });
    const wait = "update payments.provider_events set received_at = received_at - interval '20 s' where provider_event_id = $1";
    await test.asAdmin(wait, [messageId]);
    receiver.act = () => Promise.resolve('applied');
    await receiver.retry();
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_event_lag_seconds_bucket\{le="15",.*\} 0/);
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_event_lag_seconds_bucket\{le="60",.*\} 1/);
  });

  it('fails after the last attempt, and an error is logged for an operator', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    receiver.act = passing;
    await receiver.send(aPayinEvent(), { messageId });
    for (let attempt = 2; attempt <= 16; attempt += 1) await receiver.retry();
    expect(await rowOf(messageId)).toMatchObject({ result: 'failed', attempts: 16 });
    expect(receiver.log.lines.filter(({ level }) => level === 'error')).toHaveLength(1);
    expect(await receiver.counts()).toMatch(/holdfast_payment_provider_events_total\{outcome="failed",.*\} 1/);
    await receiver.retry();
    expect(await rowOf(messageId)).toMatchObject({ attempts: 16 });
  });

  it('waits longer after each attempt', async () => {
    const receiver = aReceiver();
    const messageId = newMessageId();
    receiver.act = passing;
    await receiver.send(aPayinEvent(), { messageId });
    const dueIn = async () => {
      const sql =
        'select extract(epoch from next_attempt_at - now())::float as seconds from payments.provider_events where provider_event_id = $1';
      return (await test.asAdmin<{ readonly seconds: number }>(sql, [messageId]))[0]?.seconds ?? 0;
    };
    const first = await dueIn();
    for (let attempt = 2; attempt <= 7; attempt += 1) await receiver.retry();
    expect(first).toBeLessThanOrEqual(2);
    expect(await dueIn()).toBeGreaterThan(60);
  });

  it('because its process died is applied by another one, and by one only', async () => {
    const [dead, ...replicas] = [aReceiver(), aReceiver(), aReceiver()];
    const [messageId, event] = [newMessageId(), aPayinEvent()];
    dead.act = () => new Promise(() => undefined);
    dead.send(event, { messageId }).catch(() => undefined);
    await eventually(async () => expect(await rowOf(messageId)).toBeDefined());
    await test.asAdmin('update payments.provider_events set next_attempt_at = now() where provider_event_id = $1', [messageId]);
    await Promise.all(replicas.map((replica) => replica.runJob('provider-events')));
    const applied = replicas.flatMap((replica) => replica.applied).filter(({ providerId }) => providerId === event.data.id);
    expect(applied).toHaveLength(1);
    expect(await rowOf(messageId)).toMatchObject({ result: 'applied', attempts: 2 });
  });
});

it('handled events are deleted after the retention, open ones are kept', async () => {
  const receiver = aReceiver();
  const [old, recent, open] = [newMessageId(), newMessageId(), newMessageId()];
  await receiver.send(aPayinEvent(), { messageId: old });
  await receiver.send(aPayinEvent(), { messageId: recent });
  receiver.act = passing;
  await receiver.send(aPayinEvent(), { messageId: open });
  const sql = "update payments.provider_events set received_at = now() - interval '31 days' where provider_event_id = any($1)";
  await test.asAdmin(sql, [[old, open]]);
  await receiver.runJob('prune-provider-events');
  const left = await Promise.all([old, recent, open].map(async (id) => (await rowOf(id)) !== undefined));
  expect(left).toEqual([false, true, true]);
});
