import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  delivered,
  held,
  refused,
  sent,
  webhookWorkers,
  type TestWorker,
  type WebhookWorkers,
} from '../../testing/webhook-workers.js';
import { deleteEndpoint } from '../../use-cases/webhooks/delete-endpoint.js';
import { disableEndpoint } from '../../use-cases/webhooks/disable-endpoint.js';
import { enableEndpoint } from '../../use-cases/webhooks/enable-endpoint.js';
import type { AttemptOutcome, WebhookAttempt } from '../../use-cases/webhooks/ports.js';
import { rotateSecret } from '../../use-cases/webhooks/rotate-secret.js';

let workers: WebhookWorkers;
const started: TestWorker[] = [];

beforeAll(async () => void (workers = await webhookWorkers(systemClock())), serverStartTimeoutMs);
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
  for (const table of ['webhook_batches', 'webhook_deliveries', 'webhook_endpoints'])
    await workers.server.asAdmin(`delete from notifications.${table}`);
});
afterAll(() => workers.server.drop());

async function start(send: (attempt: WebhookAttempt, signal: AbortSignal) => Promise<AttemptOutcome>): Promise<TestWorker> {
  const worker = await workers.start({ send });
  started.push(worker);
  return worker;
}

/** A receiver that takes the first events and then hangs. */
function hangingAfter(count: number, received: string[]) {
  const hanging = held();
  return (attempt: WebhookAttempt, signal: AbortSignal) =>
    received.length < count ? sent(received)(attempt, signal) : hanging.send(attempt, signal);
}

async function batches(): Promise<number> {
  return (await workers.server.asAdmin('select from notifications.webhook_batches')).length;
}

async function endLeases(): Promise<void> {
  await workers.server.asAdmin('update notifications.webhook_endpoints set leased_until = now()');
}

describe('a process that dies', () => {
  it('in mid-attempt keeps the endpoint until its lease ends; then another one sends the same event, once', async () => {
    await workers.anEndpoint();
    await workers.append(1);
    const [dead, received] = [held(), [] as string[]];
    const first = await workers.start({ send: dead.send });
    await first.fanOut();
    await first.work();
    await eventually(() => expect(dead.attempts).toHaveLength(1));
    const second = await start(sent(received));
    await second.fanOut();
    await second.work();
    expect(received).toEqual([]);
    await endLeases();
    await second.work();
    await eventually(async () => expect(await workers.rows()).toEqual([{ status: 'DELIVERED', attempts: 1, logged: 1 }]));
    expect(received).toEqual([dead.attempts[0]?.eventId]);
    // The first one was not dead but late: its attempt is in the log, and changes nothing.
    dead.respond(refused);
    await eventually(async () => expect(await workers.rows()).toEqual([{ status: 'DELIVERED', attempts: 2, logged: 2 }]));
    await first.stop();
  });

  it('before an attempt leaves the event to another one', async () => {
    await workers.anEndpoint();
    await workers.append(1);
    const received: string[] = [];
    const worker = await start(sent(received));
    await worker.fanOut();
    expect(await worker.store.queue.claim(10)).toHaveLength(1);
    await worker.work();
    expect(received).toEqual([]);
    await endLeases();
    await worker.work();
    await eventually(() => expect(received).toHaveLength(1));
  });

  it('between two commits leaves another one only what has no row yet', async () => {
    await workers.anEndpoint();
    await workers.append(6);
    const received: string[] = [];
    const database = await workers.connect(workers.server.adminUrl);
    const dead = await workers.start({ send: hangingAfter(3, received), database });
    await dead.fanOut();
    await dead.work();
    await eventually(async () =>
      expect(await workers.rows()).toEqual(Array(3).fill({ status: 'DELIVERED', attempts: 1, logged: 1 })),
    );
    await database.close(); // it writes nothing more
    await endLeases();
    const others: string[] = [];
    const worker = await start(sent(others));
    await worker.work();
    await eventually(async () =>
      expect(await workers.rows()).toEqual(Array(6).fill({ status: 'DELIVERED', attempts: 1, logged: 1 })),
    );
    expect(new Set([...received, ...others]).size).toBe(6);
    expect(others).toHaveLength(3);
    await eventually(async () => expect(await batches()).toBe(0));
  });

  it.each<CommitFault>(['lose-request', 'garble-response'])(
    'at the commit of an outcome (%s) loses no event, and each attempt is in the log once',
    async (fault) => {
      await workers.anEndpoint();
      await workers.append(2, 'ord_committed');
      const proxy = await startCommitProxy(workers.server.adminUrl);
      const database = await workers.connect(proxy.url);
      const received: string[] = [];
      const worker = await workers.start({ send: sent(received), database });
      await worker.fanOut();
      proxy.setFault(fault);
      await worker.work();
      await eventually(() => expect(proxy.faultCount()).toBeGreaterThan(0));
      proxy.setFault('none');
      await endLeases();
      const other = await start(sent(received));
      await eventually(async () => {
        await other.work();
        expect((await workers.rows()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
      });
      expect((await workers.rows()).every(({ attempts, logged }) => attempts === logged)).toBe(true);
      expect(new Set(received).size).toBe(2);
      await worker.stop().catch(() => undefined);
      await database.close();
      await proxy.close();
    },
  );
});

describe('during an attempt', () => {
  async function anAttempt() {
    const endpointId = await workers.anEndpoint();
    await workers.append(1);
    const receiver = held();
    const worker = await start(receiver.send);
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(receiver.attempts).toHaveLength(1));
    return { endpointId, receiver, worker };
  }

  it('a rotated secret signs the next one, beside the old one during the overlap', async () => {
    const { endpointId, receiver, worker } = await anAttempt();
    const { secret } = await rotateSecret(workers.deps, { id: endpointId, overlapSeconds: 86_400 }, workers.context());
    receiver.respond(refused);
    await eventually(async () => expect(await workers.rows()).toEqual([{ status: 'RETRYING', attempts: 1, logged: 1 }]));
    workers.moveClock(61_000);
    await worker.work();
    await eventually(() => expect(receiver.attempts).toHaveLength(2));
    expect(receiver.attempts[1]?.secrets).toEqual([secret, ...(receiver.attempts[0]?.secrets ?? [])]);
    receiver.respond(delivered);
    await eventually(async () => expect(await workers.rows()).toMatchObject([{ status: 'DELIVERED' }]));
  });

  it.each([
    ['delivered', delivered, 'DELIVERED'],
    ['refused', refused, 'CANCELED'],
  ])('a deleted endpoint cancels the delivery, which the outcome %s still changes or not', async (_, outcome, status) => {
    const { endpointId, receiver } = await anAttempt();
    await deleteEndpoint(workers.deps, { id: endpointId }, workers.context());
    expect(await workers.rows()).toEqual([{ status: 'CANCELED', attempts: 0, logged: 0 }]);
    receiver.respond(outcome);
    await eventually(async () => expect(await workers.rows()).toEqual([{ status, attempts: 1, logged: 1 }]));
  });
});

describe('an endpoint that takes long', () => {
  it('has a row for each event after a second, and everything is sent in the end', async () => {
    await workers.anEndpoint();
    await workers.append(700);
    const receiver = held();
    let isReached = false;
    const received: string[] = [];
    const worker = await start((attempt, signal) => (isReached ? sent(received) : receiver.send)(attempt, signal));
    await worker.fanOut();
    await worker.fanOut();
    await worker.work();
    await eventually(async () =>
      expect(await workers.rows()).toEqual(Array(700).fill({ status: 'PENDING', attempts: 0, logged: 0 })),
    );
    expect(await batches()).toBe(0);
    isReached = true;
    receiver.respond(delivered);
    await eventually(() => expect(received).toHaveLength(698));
    expect(receiver.attempts).toHaveLength(2);
  });

  it('is disabled: also what has no row yet is canceled, and enabling it with a replay sends everything in order', async () => {
    const id = await workers.anEndpoint();
    await workers.append(5, 'ord_canceled');
    const receiver = held();
    const worker = await start(receiver.send);
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(receiver.attempts).toHaveLength(1));
    await disableEndpoint(workers.deps, { id }, workers.context());
    expect(await workers.rows()).toEqual(Array(5).fill({ status: 'CANCELED', attempts: 0, logged: 0 }));
    expect(await batches()).toBe(0);
    receiver.respond(refused);
    await eventually(async () => expect((await workers.rows()).some(({ logged }) => logged === 1)).toBe(true));
    await eventually(() => expect(worker.heldIds()).toEqual([]));
    expect(receiver.attempts).toHaveLength(1);
    await worker.stop();
    await enableEndpoint(workers.deps, { id, replay: true }, workers.context());
    const received: string[] = [];
    const next = await start(sent(received));
    await eventually(async () => {
      await next.work();
      expect(received).toHaveLength(5);
    });
    const log = await workers.server.asAdmin<{ readonly id: string }>(
      `select event_id as id from notifications.events where aggregate_id = 'ord_canceled' order by position`,
    );
    expect(received).toEqual(log.map((event) => event.id));
  });
});
