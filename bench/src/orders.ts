import { quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { drive, latencyOf } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, rateOf, type Rounds, type Side } from './frame/measure.js';
import type { MeasuredSide, Sample, Table, Target } from './frame/results.js';
import { spreadOf } from './frame/statistics.js';
import { countCommits } from './orders/counting.js';
import { openMarketplace, steps, type Marketplace, type Step } from './orders/marketplace.js';
import { readProcessTimes, timesPerOrder, type ProcessTimes } from './orders/process-times.js';
import { warmUp, type WarmUp } from './orders/warm-up.js';
import { startOrdersPlatform, type PlatformServers } from './orders/start-orders-platform.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

/** A round takes much longer than an order, so that its start and end, with fewer open orders, hardly count. */
const fullRounds: Rounds = { count: 5, durationMs: 12_000, warmUpMs: 2_000 };
const fullWarmUp: WarmUp = { clients: 32, ordersMin: 500, durationMs: 60_000 };
const quickWarmUp: WarmUp = { clients: 32, ordersMin: 0, durationMs: 2_000 };
const clientCounts = [1, 32] as const;
const replicaCounts = [1, 2] as const;
const p50TargetMs = 90;
const ordersTarget = 35;
/** Orders that begin all at once on fresh processes take long on a slow machine. The result shows it; the run does not fail. */
const environment = { SETTLEMENT_TIMEOUT_MS: '60000' } as const;
/** What is not the platform: it shares the machine, and would run elsewhere. */
const apart: readonly string[] = ['clients', 'sandbox'];

const about: readonly string[] = [
  'The whole life of an order over HTTP: create, reserve, escrow, fund, release, each call waiting for the state it promises. Gateway, identity, ledger-balance, orders, escrow-adapter and notifications run in separate processes on Postgres and RabbitMQ; the sandbox plays escrow provider and ledger network without delay, with real signed transactions. The users exist beforehand and have money; orders have no milestones.',
  'Before the measurement, 32 clients play orders for at least a minute and until 500 have ended. Fresh processes spend much of their time on compiling, and a service in production has been running for a while. "CPU each" is the processor time of the platform per order, Postgres and RabbitMQ included, clients and sandbox apart. Then the same is measured with two processes of each service, each set behind its own gateway; the clients take turns between the gateways.',
  'A whole order is 5 HTTP calls, and 5 transactions on the ledger network (deploy, fund, complete, approve, release). Clients, six services, sandbox, Postgres and RabbitMQ share the cores of one machine.',
];

export const orders: Benchmark = { name: 'orders', title: 'Whole orders over HTTP on RabbitMQ', run };

/** What each call took, by how many clients there were; a list per round, the one of the warm-up first. */
type StepTimes = Map<number, Record<Step, number[]>[]>;

/** What a run keeps beside its samples. */
type RunRecord = {
  readonly folder: string;
  readonly times: StepTimes;
  /** What each kind of process used per order in the last round, by how many clients there were. */
  readonly processTimes: Map<number, ProcessTimes>;
};

async function run(options: RunOptions): Promise<Findings> {
  const { isQuick, folder, onProgress, onEnd } = options;
  const rounds = isQuick ? { ...quickRounds, warmUpMs: 1_000, durationMs: 3_000 } : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  const runs: ReplicaRun[] = [];
  for (const replicas of replicaCounts) {
    const servers = { folder, databaseUrl: postgres.url, amqpUrl: rabbitmq.url, replicas, environment };
    runs.push(await measureReplicas(servers, rounds, options));
  }
  return {
    about,
    machine: describeMachine(['pg'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: Object.fromEntries([
      ['rounds', rounds.count],
      ['seconds a round', rounds.durationMs / 1_000],
      ...runs.flatMap((replicaRun) => Object.entries(settingsOf(replicaRun))),
    ]),
    tables: runs.flatMap(tablesOf),
    targets: targetsOf(runs[0]?.measured ?? []),
    checks: ['every order ended as CLOSED, and no call failed'],
  };
}

type ReplicaRun = {
  readonly replicas: number;
  readonly measured: readonly MeasuredSide[];
  readonly record: RunRecord;
  readonly warm: { readonly orders: number; readonly seconds: number };
  readonly perOrder: { readonly commits: number; readonly messages: number };
};

/** The platform with that many processes of each service, from its start to its stop. */
async function measureReplicas(
  servers: PlatformServers,
  rounds: Rounds,
  { isQuick, onProgress }: RunOptions,
): Promise<ReplicaRun> {
  const { replicas, folder, databaseUrl } = servers;
  onProgress(`starting every service, ${replicas.toString()} of each`);
  const platform = await startOrdersPlatform(servers);
  try {
    const marketplace = await openMarketplace(platform);
    onProgress('warming up');
    const warm = await warmUp(marketplace, isQuick ? quickWarmUp : fullWarmUp);
    const record: RunRecord = { folder, times: new Map(clientCounts.map((clients) => [clients, []])), processTimes: new Map() };
    const measured = await measure(sidesOf(marketplace, record), rounds, onProgress);
    onProgress('counting commits and messages');
    const perOrder = await countsPerOrder(marketplace, databaseUrl);
    await marketplace.close();
    return { replicas, measured, record, warm, perOrder };
  } finally {
    await platform.stop();
  }
}

function settingsOf({ replicas, warm, perOrder, record }: ReplicaRun): Readonly<Record<string, string | number>> {
  const named = {
    'orders before the first round': warm.orders,
    'seconds before the first round': warm.seconds,
    'commits per order': perOrder.commits,
    'messages handled per order': perOrder.messages,
    ...cpuSettings(record),
  };
  return Object.fromEntries(Object.entries(named).map(([name, value]) => [`${name}, ${replicasText(replicas)}`, value]));
}

function tablesOf({ replicas, measured, record }: ReplicaRun): readonly Table[] {
  return [
    { title: `Whole orders, ${replicasText(replicas)}`, unit: 'orders/s', sides: measured, baseline: null },
    ...(replicas === 1 ? clientCounts.map((clients) => stepTable(clients, record.times)) : []),
  ];
}

function replicasText(replicas: number): string {
  return replicas === 1 ? 'one process of each service' : `${replicas.toString()} processes of each service`;
}

function sideName(clients: number): string {
  return clients === 1 ? '1 client' : `${clients.toString()} clients`;
}

function sidesOf(marketplace: Marketplace, { folder, times, processTimes }: RunRecord): readonly Side[] {
  return clientCounts.map((clients) => ({
    name: sideName(clients),
    run: async (durationMs) => {
      const took: Record<Step, number[]> = { create: [], reserve: [], escrow: [], fund: [], release: [] };
      times.get(clients)?.push(took);
      const call = (): Promise<void> => marketplace.runOrder((step, tookMs) => took[step].push(tookMs));
      const before = readProcessTimes(folder);
      const sample = await drive({ callers: clients, durationMs, call });
      const perOrder = timesPerOrder(before, readProcessTimes(folder), took.release.length);
      processTimes.set(clients, perOrder);
      return { ...sample, cpuMicros: perOrder.size === 0 ? null : platformMicros(perOrder) };
    },
  }));
}

function platformMicros(perOrder: ProcessTimes): number {
  return [...perOrder].filter(([name]) => !apart.includes(name)).reduce((sum, [, micros]) => sum + micros, 0);
}

function cpuSettings({ processTimes }: RunRecord): Readonly<Record<string, string>> {
  const text = (times: ProcessTimes): string =>
    [...times].map(([name, micros]) => `${name} ${(micros / 1_000).toFixed(1)} ms`).join(' + ');
  return Object.fromEntries([...processTimes].map(([clients, times]) => [`CPU per order at ${sideName(clients)}`, text(times)]));
}

function stepTable(clients: number, times: StepTimes): Table {
  const rounds = times.get(clients)?.slice(1) ?? [];
  const sides = steps.map((step): MeasuredSide => ({
    name: step,
    samples: rounds.map((took): Sample => {
      const latencies = took[step];
      const busySeconds = latencies.reduce((sum, tookMs) => sum + tookMs, 0) / 1_000 / clients;
      return { perSecond: latencies.length / busySeconds, ...latencyOf(latencies), cpuMicros: null, errors: 0 };
    }),
  }));
  return { title: `Each call, ${sideName(clients)}`, unit: 'calls/s', sides, baseline: null };
}

function targetsOf(measured: readonly MeasuredSide[]): readonly Target[] {
  const [alone, concurrent] = measured;
  if (alone === undefined || concurrent === undefined) throw new Error('nothing was measured');
  const p50 = spreadOf(alone.samples.map(({ p50Ms }) => p50Ms ?? Number.NaN));
  return [
    { work: 'a whole order at 1 client, p50', unit: ' ms', atMost: p50TargetMs, measured: p50 },
    { work: 'whole orders at 32 clients', unit: '/s', atLeast: ordersTarget, measured: rateOf(concurrent) },
  ];
}

const countedOrders = 50;

async function countsPerOrder(marketplace: Marketplace, databaseUrl: string): Promise<{ commits: number; messages: number }> {
  const before = await countCommits(databaseUrl);
  for (let order = 0; order < countedOrders; order += 1) await marketplace.runOrder(() => undefined);
  const after = await countCommits(databaseUrl);
  return {
    commits: Math.round((after.commits - before.commits) / countedOrders),
    messages: Math.round((after.messages - before.messages) / countedOrders),
  };
}
