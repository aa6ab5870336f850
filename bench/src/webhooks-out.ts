import { Client } from 'pg';
import type { Benchmark, Findings, RunOptions } from './frame/benchmark.js';
import { drive, latencyOf } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, ratioOf, type Rounds, type Side } from './frame/measure.js';
import { cpuMicrosOf } from './frame/process-cpu.js';
import type { Table, Target } from './frame/results.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startNotificationsProcess, type NotificationsProcess } from './stream/stream-servers.js';
import { appendEvents } from './webhooks-out/append-events.js';
import { createEndpoints, type Endpoints } from './webhooks-out/create-endpoints.js';
import { startReceivers, type Receivers } from './webhooks-out/receivers.js';
import { createSignAndPost } from './webhooks-out/sign-and-post.js';

const fullRounds: Rounds = { count: 3, durationMs: 5_000, warmUpMs: 2_000 };
const quickRounds: Rounds = { count: 1, durationMs: 1_000, warmUpMs: 500 };
/** Deliveries of a round for each second that it is to take. */
const deliveriesPerSecond = 4_000;
/** For the time to arrival, so few that nothing waits. */
const calmPerSecond = 20;
const shareOfLoop = 0.5;
/** As many as the worker has in flight: 32 for one endpoint, 200 in all. */
const inFlight = { ofOne: 32, ofAll: 200 };
const arrivalTimeoutMs = 120_000;

const about: readonly string[] = [
  'Webhooks a second that arrive at receivers, from the commit of the events to the log to the last arrival. One process of `notifications` queues the deliveries, signs and sends them, and stores their outcomes. The endpoints belong to up to 100 marketplaces; if there are several endpoints, one of them accepts connections and never responds. A loop beside it only signs a body of the same size and posts it with undici, with as many requests in flight. It has no queue, no log and no check.',
  'All receivers are one process. The time to arrival is measured with 20 events a second, from publishing an event to its arrival.',
];

export const webhooksOut: Benchmark = {
  name: 'webhooks-out',
  title: 'Webhooks to marketplaces beside a loop that only signs and posts',
  run,
};

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const receivers = await startReceivers();
  onEnd(receivers.stop);
  const service = await startNotificationsProcess(postgres.url, { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' });
  onEnd(service.stop);
  const client = new Client(postgres.url);
  await client.connect();
  onEnd(() => client.end());
  const tables: Table[] = [];
  const targets: Target[] = [];
  for (const count of isQuick ? [1, 100] : [1, 100, 2_000]) {
    onProgress(`creating ${count.toLocaleString('en')} endpoints`);
    const endpoints = await createEndpoints(service, receivers, count);
    const sides = [deliverySide({ service, receivers, client }, endpoints), loopSide(receivers, count)];
    const measured = await measure(sides, rounds, onProgress);
    const [ours, loop] = measured;
    if (ours === undefined || loop === undefined) throw new Error('nothing was measured');
    const work = count === 1 ? 'webhooks to 1 endpoint' : `webhooks to ${count.toLocaleString('en')} endpoints, one of them dead`;
    tables.push({ title: work, unit: 'webhooks/s', sides: measured, baseline: loop.name });
    targets.push({ work: `${work}, against a loop`, unit: 'x', atLeast: shareOfLoop, measured: ratioOf(ours, loop) });
    if (count === 1) tables.push(await calmTable(service, receivers, endpoints, { rounds, onProgress }));
  }
  return {
    about,
    machine: describeMachine(['undici', 'standardwebhooks', 'pg'], { postgres: postgres.version }),
    settings: { rounds: rounds.count, 'requests in flight to one endpoint': inFlight.ofOne, 'and in all': inFlight.ofAll },
    tables,
    targets,
    checks: ['every endpoint that responds got every event, none of them twice'],
  };
}

type Servers = { readonly service: NotificationsProcess; readonly receivers: Receivers; readonly client: Client };

/** Appends events of all marketplaces to the log and waits until the last webhook has arrived. The last event is published, and wakes the service. */
function deliverySide({ service, receivers, client }: Servers, { marketplaces }: Endpoints): Side {
  const live = marketplaces.reduce((sum, marketplace) => sum + marketplace.live, 0);
  const ids = marketplaces.map(({ id }) => id);
  return {
    name: 'Holdfast',
    run: async (durationMs) => {
      const perMarketplace = Math.max(1, Math.round((deliveriesPerSecond * durationMs) / 1_000 / live));
      await receivers.request({ kind: 'begin' });
      const [marketplaceId, ...others] = Array.from({ length: perMarketplace }, () => ids).flat();
      if (marketplaceId === undefined) throw new Error('there is no endpoint');
      await appendEvents(client, others);
      const cpuBefore = cpuMicrosOf(service.pid);
      const begunAt = performance.now();
      await service.publish({ marketplaceId, count: 1, perSecond: 0 });
      const { received } = await arrivals(receivers, perMarketplace * live);
      const seconds = (performance.now() - begunAt) / 1_000;
      return {
        perSecond: received / seconds,
        p50Ms: null,
        p99Ms: null,
        cpuMicros: cpuEach(service, cpuBefore, received),
        errors: 0,
      };
    },
  };
}

function cpuEach({ pid }: NotificationsProcess, before: number | null, count: number): number | null {
  const after = cpuMicrosOf(pid);
  return before === null || after === null ? null : (after - before) / count;
}

async function arrivals(receivers: Receivers, count: number) {
  const report = await receivers.request({ kind: 'collect', count, timeoutMs: arrivalTimeoutMs });
  if (report.received !== count || report.repeated > 0)
    throw new Error(`${report.received} of ${count} webhooks have arrived, ${report.repeated} more than once`);
  return report;
}

function loopSide(receivers: Receivers, endpoints: number): Side {
  const callers = endpoints === 1 ? inFlight.ofOne : inFlight.ofAll;
  return {
    name: 'sign and post',
    run: async (durationMs) => {
      const loop = createSignAndPost(receivers.port, callers);
      try {
        return await drive({ callers, durationMs, call: loop.call });
      } finally {
        await loop.close();
      }
    },
  };
}

type Measuring = { readonly rounds: Rounds; readonly onProgress: RunOptions['onProgress'] };

async function calmTable(
  service: NotificationsProcess,
  receivers: Receivers,
  { marketplaces }: Endpoints,
  { rounds, onProgress }: Measuring,
): Promise<Table> {
  const [marketplace] = marketplaces;
  if (marketplace === undefined) throw new Error('there is no endpoint');
  const side: Side = {
    name: 'Holdfast',
    run: async (durationMs) => {
      const count = Math.max(1, Math.round((calmPerSecond * durationMs) / 1_000));
      await receivers.request({ kind: 'begin' });
      const cpuBefore = cpuMicrosOf(service.pid);
      await service.publish({ marketplaceId: marketplace.id, count, perSecond: calmPerSecond });
      const { latenciesMs } = await arrivals(receivers, count);
      const cpuMicros = cpuEach(service, cpuBefore, count);
      return { perSecond: calmPerSecond, ...latencyOf(latenciesMs), cpuMicros, errors: 0 };
    },
  };
  const title = `Time from publishing an event to its arrival, ${calmPerSecond} events a second`;
  return { title, unit: 'webhooks/s', sides: await measure([side], rounds, onProgress), baseline: null };
}
