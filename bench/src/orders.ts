import { quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { drive, latencyOf } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, rateOf, type Rounds, type Side } from './frame/measure.js';
import type { MeasuredSide, Sample, Table, Target } from './frame/results.js';
import { spreadOf } from './frame/statistics.js';
import { countWork } from './orders/counting.js';
import { openMarketplace, steps, type Marketplace, type Step } from './orders/marketplace.js';
import { startWholePlatform } from './orders/whole-platform.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

const fullRounds: Rounds = { count: 5, durationMs: 6_000, warmUpMs: 15_000 };
const clientCounts = [1, 32] as const;
const p50TargetMs = 80;
const p99TargetMs = 300;
const ordersTarget = 50;

const about: readonly string[] = [
  'The whole life of an order over HTTP: create, reserve, escrow, fund, release, each call waiting for the state it promises. Gateway, identity, ledger-balance, orders, escrow-adapter and notifications are processes of their own on Postgres and RabbitMQ; the sandbox plays escrow provider and ledger network without delay, with real signed transactions. The users exist beforehand and have money; orders have no milestones.',
  'A whole order is 5 HTTP calls, and 5 transactions on the ledger network (deploy, fund, complete, approve, release). Clients, six services, sandbox, Postgres and RabbitMQ share the cores of one machine.',
];

export const orders: Benchmark = { name: 'orders', title: 'Whole orders over HTTP on RabbitMQ', run };

/** What each call took, by how many clients there were; a list per round, the one of the warm-up first. */
type StepTimes = Map<number, Record<Step, number[]>[]>;

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? { ...quickRounds, warmUpMs: 2_000, durationMs: 3_000 } : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  onProgress('starting every part');
  const platform = await startWholePlatform({ folder, databaseUrl: postgres.url, amqpUrl: rabbitmq.url });
  onEnd(platform.stop);
  const marketplace = await openMarketplace(platform);
  onEnd(marketplace.close);
  const times: StepTimes = new Map(clientCounts.map((clients) => [clients, []]));
  const measured = await measure(sidesOf(marketplace, times), rounds, onProgress);
  onProgress('counting commits and messages');
  const perOrder = await workPerOrder(marketplace, postgres.url);
  return {
    about,
    machine: describeMachine(['pg', 'undici'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: {
      rounds: rounds.count,
      'seconds a round': rounds.durationMs / 1_000,
      'commits per order': perOrder.commits,
      'messages acted on per order': perOrder.messages,
    },
    tables: [
      { title: 'Whole orders', unit: 'orders/s', sides: measured, baseline: null },
      ...clientCounts.map((clients) => stepTable(clients, times)),
    ],
    targets: targetsOf(measured),
    checks: ['every order was answered CLOSED, and no call failed'],
  };
}

function sideName(clients: number): string {
  return clients === 1 ? '1 client' : `${clients.toString()} clients`;
}

function sidesOf(marketplace: Marketplace, times: StepTimes): readonly Side[] {
  return clientCounts.map((clients) => ({
    name: sideName(clients),
    run: async (durationMs) => {
      const took: Record<Step, number[]> = { create: [], reserve: [], escrow: [], fund: [], release: [] };
      times.get(clients)?.push(took);
      const call = (): Promise<void> => marketplace.playOrder((step, tookMs) => took[step].push(tookMs));
      return { ...(await drive({ callers: clients, durationMs, call })), cpuMicros: null };
    },
  }));
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
  const [alone, together] = measured;
  if (alone === undefined || together === undefined) throw new Error('nothing was measured');
  const latency = (which: 'p50Ms' | 'p99Ms') => spreadOf(alone.samples.map((sample) => sample[which] ?? Number.NaN));
  return [
    { work: 'a whole order at 1 client, p50', unit: ' ms', atMost: p50TargetMs, measured: latency('p50Ms') },
    { work: 'a whole order at 1 client, p99', unit: ' ms', atMost: p99TargetMs, measured: latency('p99Ms') },
    { work: 'whole orders at 32 clients', unit: '/s', atLeast: ordersTarget, measured: rateOf(together) },
  ];
}

const countedOrders = 50;

async function workPerOrder(marketplace: Marketplace, databaseUrl: string): Promise<{ commits: number; messages: number }> {
  const before = await countWork(databaseUrl);
  for (let order = 0; order < countedOrders; order += 1) await marketplace.playOrder(() => undefined);
  const after = await countWork(databaseUrl);
  return {
    commits: Math.round((after.commits - before.commits) / countedOrders),
    messages: Math.round((after.messages - before.messages) / countedOrders),
  };
}
