import { systemClock } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startCommitProxy, type CommitFault } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { delivered, refused, webhookWorkers, type TestWorker, type WebhookWorkers } from '../../testing/webhook-workers.js';
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

type Row = { readonly status: string; readonly attempts: number; readonly logged: number };

async function rows(): Promise<readonly Row[]> {
  return workers.server.asAdmin<Row>(
    `select status, attempts, jsonb_array_length(attempt_log) as logged from notifications.webhook_deliveries order by position, id`,
  );
}

async function endLeases(): Promise<void> {
  await workers.server.asAdmin('update notifications.webhook_endpoints set leased_until = now() where leased_until is not null');
}

const sent =
  (received: string[], outcome = delivered) =>
  (attempt: WebhookAttempt) => {
    received.push(attempt.eventId);
    return Promise.resolve(outcome);
  };

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
    await eventually(async () => expect(await rows()).toEqual([{ status: 'DELIVERED', attempts: 1, logged: 1 }]));
    expect(received).toEqual([dead.attempts[0]?.eventId]);
    // The first one was not dead but late: its attempt is in the log, and changes nothing.
    dead.respond(refused);
    await eventually(async () => expect(await rows()).toEqual([{ status: 'DELIVERED', attempts: 2, logged: 2 }]));
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
        expect((await rows()).map(({ status }) => status)).toEqual(['DELIVERED', 'DELIVERED']);
      });
      expect((await rows()).every(({ attempts, logged }) => attempts === logged)).toBe(true);
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
    await eventually(async () => expect(await rows()).toEqual([{ status: 'RETRYING', attempts: 1, logged: 1 }]));
    workers.moveClock(61_000);
    await worker.work();
    await eventually(() => expect(receiver.attempts).toHaveLength(2));
    expect(receiver.attempts[1]?.secrets).toEqual([secret, ...(receiver.attempts[0]?.secrets ?? [])]);
    receiver.respond(delivered);
    await eventually(async () => expect(await rows()).toMatchObject([{ status: 'DELIVERED' }]));
  });

  it.each([
    ['delivered', delivered, 'DELIVERED'],
    ['refused', refused, 'CANCELED'],
  ])('a deleted endpoint cancels the delivery, which the outcome %s still changes or not', async (_, outcome, status) => {
    const { endpointId, receiver } = await anAttempt();
    await deleteEndpoint(workers.deps, { id: endpointId }, workers.context());
    expect(await rows()).toEqual([{ status: 'CANCELED', attempts: 0, logged: 0 }]);
    receiver.respond(outcome);
    await eventually(async () => expect(await rows()).toEqual([{ status, attempts: 1, logged: 1 }]));
  });
});

describe('the queue of an endpoint', () => {
  it('delivers each event once with two processes, and never two of an aggregate at a time', async () => {
    const endpoints = await Promise.all(Array.from({ length: 8 }, () => workers.anEndpoint()));
    for (const order of ['ord_a', 'ord_b', 'ord_c']) await workers.append(4, order);
    const received: string[] = [];
    const [one, two] = [await start(sent(received)), await start(sent(received))];
    await Promise.all([one.fanOut(), two.fanOut()]);
    await eventually(async () => {
      await Promise.all([one.work(), two.work()]);
      expect((await rows()).filter(({ status }) => status === 'DELIVERED')).toHaveLength(12 * endpoints.length);
    });
    expect(received).toHaveLength(12 * endpoints.length);
    expect((await rows()).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  it('does not wait for an endpoint that never responds', async () => {
    await workers.anEndpoint({ url: 'https://dead.example/' });
    const receiver = held();
    const received: string[] = [];
    await workers.anEndpoint({ url: 'https://live.example/' });
    const worker = await start((attempt, signal) =>
      attempt.url.includes('dead') ? receiver.send(attempt, signal) : sent(received)(attempt),
    );
    await workers.append(40);
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(received).toHaveLength(40));
    expect(receiver.attempts).toHaveLength(2);
  });

  it('sends new events before those of a replay, which has at most half of the slots', async () => {
    const marketplaceId = 'mkt_replays' as const;
    const id = await workers.anEndpoint({}, marketplaceId);
    await workers.append(6, undefined, marketplaceId);
    const received: string[] = [];
    const worker = await start(sent(received));
    await worker.fanOut();
    await worker.work();
    await eventually(() => expect(received).toHaveLength(6));
    await eventually(async () => expect((await rows()).every(({ status }) => status === 'DELIVERED')).toBe(true));
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
    await eventually(() => expect(received).toHaveLength(1));
    const [index] = await workers.server.asAdmin<{ readonly rows: string }>(
      `select reltuples::text as rows from pg_class where relname = 'webhook_deliveries_open'`,
    );
    expect(Number(index?.rows)).toBeLessThan(5_000);
  });
});

describe('time', () => {
  async function failingSince(id: WebhookEndpointId) {
    const endpoint = await workers.deps.endpoints.find('mkt_default', id);
    return { status: endpoint?.status, isFailing: (endpoint?.failingSince ?? null) !== null, reason: endpoint?.disabledReason };
  }

  it('that jumps over a retry causes it once; one that jumps back delays it', async () => {
    await workers.anEndpoint();
    await workers.append(1);
    const received: string[] = [];
    const worker = await start(sent(received, refused));
    await worker.fanOut();
    await worker.work();
    await eventually(async () => expect(await rows()).toMatchObject([{ status: 'RETRYING', attempts: 1 }]));
    workers.moveClock(-3_600_000);
    await worker.work();
    expect((await worker.store.look([])).dueInMs).toBeGreaterThan(3_600_000);
    workers.moveClock(3_600_000 + 86_400_000);
    await worker.work();
    await eventually(async () => expect(await rows()).toMatchObject([{ status: 'RETRYING', attempts: 2 }]));
    expect(received).toHaveLength(2);
    expect((await worker.store.look([])).dueInMs).toBeGreaterThan(50_000);
  });

  it('of nothing but failures: an event after 24 hours, disabled after 5 days, with its deliveries canceled', async () => {
    const id = await workers.anEndpoint();
    const received: string[] = [];
    const worker = await start(sent(received, refused));
    const fail = async (count: number): Promise<void> => {
      await workers.append(1);
      await worker.fanOut();
      await worker.work();
      await eventually(() => expect(received.length).toBeGreaterThanOrEqual(count));
    };
    const from = workers.published.length;
    await fail(1);
    expect(await failingSince(id)).toMatchObject({ status: 'ENABLED', isFailing: false });
    workers.moveClock(25 * 3_600_000);
    await fail(2);
    await eventually(async () => expect(await failingSince(id)).toMatchObject({ status: 'ENABLED', isFailing: true }));
    workers.moveClock(96 * 3_600_000);
    await fail(3);
    await eventually(async () => expect(await failingSince(id)).toMatchObject({ status: 'DISABLED', reason: 'FAILING' }));
    const types = ['webhook_endpoint.failing', 'webhook_endpoint.disabled', 'audit.recorded'];
    expect(workers.published.slice(from)).toEqual(types);
    expect((await rows()).filter(({ status }) => status === 'PENDING' || status === 'RETRYING')).toEqual([]);
  });

  it('that has dropped the event from the history cancels its delivery, and the next one goes out', async () => {
    await workers.anEndpoint();
    await workers.append(2, 'ord_dropped');
    const received: string[] = [];
    const worker = await start(sent(received));
    await worker.fanOut();
    await workers.server.asAdmin(
      `delete from notifications.events where position = (select min(position) from notifications.webhook_deliveries)`,
    );
    await eventually(async () => {
      await worker.work();
      expect((await rows()).map(({ status }) => status)).toEqual(['CANCELED', 'DELIVERED']);
    });
    expect(received).toHaveLength(1);
  });
});
