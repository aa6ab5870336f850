import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  delivered,
  isOpen,
  refused,
  sent,
  webhookWorkers,
  type TestWorker,
  type WebhookWorkers,
} from '../../testing/webhook-workers.js';
import { deleteEndpoint } from '../../use-cases/webhooks/delete-endpoint.js';
import type { AttemptOutcome, WebhookAttempt } from '../../use-cases/webhooks/ports.js';
import { replayEvents } from '../../use-cases/webhooks/replay-events.js';
import { rotateSecret } from '../../use-cases/webhooks/rotate-secret.js';

let workers: WebhookWorkers;
const started: TestWorker[] = [];

beforeAll(async () => void (workers = await webhookWorkers(systemClock())), serverStartTimeoutMs);
afterEach(async () => {
  await Promise.all(started.splice(0).map((worker) => worker.stop()));
  await workers.server.asAdmin('delete from notifications.webhook_deliveries');
  await workers.server.asAdmin('delete from notifications.webhook_endpoints');
});
afterAll(() => workers.server.drop());

async function start(send: (attempt: WebhookAttempt, signal: AbortSignal) => Promise<AttemptOutcome>): Promise<TestWorker> {
  const worker = await workers.start({ send });
  started.push(worker);
  return worker;
}

/** A receiver that responds when the test says so. */
function held() {
  const attempts: WebhookAttempt[] = [];
  let respond: (outcome: AttemptOutcome) => void = () => undefined;
  const send = (attempt: WebhookAttempt, signal: AbortSignal) =>
    new Promise<AttemptOutcome>((resolve, reject) => {
      attempts.push(attempt);
      respond = resolve;
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  return { attempts, send, respond: (outcome: AttemptOutcome) => respond(outcome) };
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

describe('the queue of an endpoint', () => {
  it('delivers each event once with two processes, and events of one aggregate one after the other, in the order of the log', async () => {
    const urls = Array.from({ length: 8 }, (_, nth) => `https://a.example/${nth}`);
    for (const url of urls) await workers.anEndpoint({ url });
    await workers.append(6, 'ord_a');
    const received: string[] = [];
    const send = ({ url, eventId }: WebhookAttempt) => Promise.resolve((received.push(`${url} ${eventId}`), delivered));
    const [one, two] = [await start(send), await start(send)];
    await Promise.all([one.fanOut(), two.fanOut()]);
    await eventually(async () => {
      await Promise.all([one.work(), two.work()]);
      expect((await workers.rows()).every(({ status, attempts }) => status === 'DELIVERED' && attempts === 1)).toBe(true);
    });
    const log = await workers.server.asAdmin<{ readonly id: string }>(
      `select event_id as id from notifications.events where aggregate_id = 'ord_a' order by position`,
    );
    for (const url of urls)
      expect(received.filter((each) => each.startsWith(`${url} `))).toEqual(log.map(({ id }) => `${url} ${id}`));
  });

  it('does not wait for an endpoint that never responds', async () => {
    await workers.anEndpoint({ url: 'https://dead.example/' });
    const receiver = held();
    const received: string[] = [];
    await workers.anEndpoint({ url: 'https://live.example/' });
    const worker = await start((attempt, signal) =>
      attempt.url.includes('dead') ? receiver.send(attempt, signal) : sent(received)(attempt, signal),
    );
    await workers.append(40);
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(received).toHaveLength(40));
    expect(receiver.attempts).toHaveLength(2);
  });

  it('commits the outcomes of attempts that end together at once', async () => {
    await workers.anEndpoint();
    await workers.append(32);
    const received: string[] = [];
    const worker = await start(sent(received));
    await worker.fanOut();
    await worker.work();
    await eventually(async () => expect((await workers.rows()).every(({ status }) => status === 'DELIVERED')).toBe(true));
    const commits = `select count(distinct xmin::text)::int as count from notifications.webhook_deliveries`;
    const [{ count } = { count: 0 }] = await workers.server.asAdmin<{ readonly count: number }>(commits);
    expect(count).toBeLessThan(8);
    expect(new Set(received).size).toBe(32);
  });

  it('sends new events before the events of a replay, which has at most half of the slots', async () => {
    const marketplaceId = 'mkt_replays' as const;
    const id = await workers.anEndpoint({}, marketplaceId);
    await workers.append(6, undefined, marketplaceId);
    const received: string[] = [];
    const worker = await workers.start({ send: sent(received) });
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(received).toHaveLength(6));
    await eventually(async () => expect((await workers.rows()).every(({ status }) => status === 'DELIVERED')).toBe(true));
    await worker.stop(); // it would send the replay
    const again = { id, since: '2020-01-01T00:00:00.000000Z' } as const;
    expect(await replayEvents(workers.deps, again, workers.context(marketplaceId))).toEqual({ deliveries: 6 });
    await workers.append(1, undefined, marketplaceId);
    const receiver = held();
    const busy = await start(receiver.send);
    await busy.fanOut();
    await eventually(async () => {
      await busy.work();
      expect(receiver.attempts).toHaveLength(2);
    });
    expect(received).not.toContain(receiver.attempts[0]?.eventId);
    expect(received).toContain(receiver.attempts[1]?.eventId);
  });

  it('reads past thousands of deliveries that were given up or canceled, without touching them', async () => {
    const id = await workers.anEndpoint();
    await workers.server.asAdmin(
      `insert into notifications.webhook_deliveries (id, endpoint_id, marketplace_id, event_id, event_type, aggregate_type,
        aggregate_id, position, body, is_replay, status, created_at)
      select 'whd_' || n, $1, 'mkt_default', 'evt_' || n, 'order.created', 'Order', 'ord_head', 0, '{}', false,
        case when n % 2 = 0 then 'EXHAUSTED' else 'CANCELED' end, now()
      from generate_series(1, 5000) as n`,
      [id],
    );
    await workers.append(1, 'ord_head');
    const received: string[] = [];
    const worker = await start(sent(received));
    await worker.fanOut();
    await worker.work();
    await eventually(async () => expect((await workers.rows()).every((row) => !isOpen(row))).toBe(true));
    expect(received).toHaveLength(1);
    await workers.server.asAdmin('vacuum analyze notifications.webhook_deliveries');
    const inIndex = `select reltuples::int as rows from pg_class where relname = 'webhook_deliveries_open'`;
    expect(await workers.server.asAdmin(inIndex)).toEqual([{ rows: 0 }]);
  });
});
