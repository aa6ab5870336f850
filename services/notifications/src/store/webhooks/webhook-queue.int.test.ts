import { systemClock } from '@holdfast/kernel/context';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  delivered,
  held,
  isOpen,
  sent,
  webhookWorkers,
  type TestWorker,
  type WebhookWorkers,
} from '../../testing/webhook-workers.js';
import type { AttemptOutcome, WebhookAttempt } from '../../use-cases/webhooks/ports.js';
import { replayEvents } from '../../use-cases/webhooks/replay-events.js';

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
