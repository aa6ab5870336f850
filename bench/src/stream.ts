import { latencyOf } from './frame/drive.js';
import { type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { describeMachine } from './frame/machine.js';
import { measure, type Rounds, type Side } from './frame/measure.js';
import { cpuMicrosOf } from './frame/process-cpu.js';
import type { MeasuredSide, Sample, Table } from './frame/results.js';
import { spreadOf, type Spread } from './frame/statistics.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startNchan } from './stream/nchan.js';
import {
  memoryKbOf,
  startHoldfast,
  startSubscribers,
  type StreamServer,
  type SubscriberProcess,
} from './stream/stream-servers.js';

const fullRounds: Rounds = { count: 3, durationMs: 5_000, warmUpMs: 2_000 };
const quickRounds: Rounds = { count: 1, durationMs: 1_000, warmUpMs: 500 };
const eventsPerSecond = 20;
/** How many times as late as nchan's an event may arrive. */
const timesNchan = 2;
const connectionKbMax = 30;

const about: readonly string[] = [
  'Events a second that arrive at subscribers, and the time from publishing an event to its arrival. In Holdfast an event goes through the broker, the event log on disk and the fan-out. In nchan (nginx with its module, one process, messages of the same size) it goes through memory alone. The subscribers share one process on the same machine, with plain sockets.',
  'Memory is the growth of the server process with the connections, per connection. In the replay, every client requests the whole history at once, which Holdfast reads from Postgres and nchan from memory; the latency is the time until a client has all of it.',
];

type Scale = { readonly subscribers: readonly number[]; readonly replayed: number; readonly replayers: number };
const fullScale: Scale = { subscribers: [100, 1_000, 2_000], replayed: 10_000, replayers: 100 };
const quickScale: Scale = { subscribers: [50, 200], replayed: 2_000, replayers: 10 };

export const stream: Benchmark = { name: 'stream', title: 'The event stream beside nchan', run };

type MemorySamples = Map<string, number[]>;

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const [rounds, scale] = isQuick ? [quickRounds, quickScale] : [fullRounds, fullScale];
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const ours = await startHoldfast(postgres.url);
  onEnd(ours.stop);
  const nchan = await startNchan(folder);
  onEnd(nchan.stop);
  const servers = [ours, nchan];
  const subscribing = startSubscribers();
  onEnd(subscribing.stop);
  const memory: MemorySamples = new Map();
  const live: Table[] = [];
  for (const count of scale.subscribers) {
    const sides = servers.map((server) => liveSide(server, subscribing, count, memory));
    live.push({ title: titleOf(count), unit: 'events/s', sides: await measure(sides, rounds, onProgress), baseline: null });
  }
  for (const server of servers) await server.publish('replay', scale.replayed, 0);
  const replay = await measure(
    servers.map((server) => replaySide(server, subscribing, scale)),
    rounds,
    onProgress,
  );
  const title = `Replay of ${scale.replayed} events to ${scale.replayers} clients at once`;
  return {
    about,
    machine: describeMachine(['pg'], { postgres: postgres.version, nginx: nchan.version }),
    settings: { rounds: rounds.count, 'events a second': eventsPerSecond, ...memorySettings(memory) },
    tables: [...live, { title, unit: 'events/s', sides: replay, baseline: null }],
    targets: targetsOf(live.at(-1), memory, scale),
    checks: ['every subscriber got every event', 'every client of the replay got the whole history'],
  };
}

function titleOf(count: number): string {
  return `${count.toLocaleString('en')} subscribers, ${eventsPerSecond} events a second`;
}

let topics = 0;

function liveSide(server: StreamServer, { request }: SubscriberProcess, count: number, memory: MemorySamples): Side {
  return {
    name: server.name,
    run: async (durationMs) => {
      const topic = `live${(topics += 1)}`;
      const events = Math.max(1, Math.round((durationMs * eventsPerSecond) / 1_000));
      const before = memoryKbOf(server.pid);
      await request({ kind: 'open', ...server.subscription(topic, 'now'), count, awaits: 0 });
      addMemorySample(memory, `${server.name} with ${count}`, (memoryKbOf(server.pid) - before) / count);
      await request({ kind: 'begin' });
      const cpuBefore = cpuMicrosOf(server.pid);
      const begunAt = performance.now();
      await server.publish(topic, events, eventsPerSecond);
      const { received, latenciesMs } = await request({ kind: 'collect', events, timeoutMs: collectTimeoutMs });
      const seconds = (performance.now() - begunAt) / 1_000;
      const cpuMicros = perEvent(cpuBefore, cpuMicrosOf(server.pid), received);
      await request({ kind: 'close' });
      return { perSecond: received / seconds, ...latencyOf(latenciesMs), cpuMicros, errors: events * count - received };
    },
  };
}

const collectTimeoutMs = 20_000;

/** The first connections also make what stays when they leave; the largest growth is the honest one. */
function addMemorySample(memory: MemorySamples, name: string, kb: number): void {
  memory.set(name, [...(memory.get(name) ?? []), Math.max(0, kb)]);
}

function perEvent(before: number | null, after: number | null, events: number): number | null {
  return before === null || after === null || events === 0 ? null : (after - before) / events;
}

function replaySide(server: StreamServer, { request }: SubscriberProcess, { replayed, replayers }: Scale): Side {
  return {
    name: server.name,
    run: async (): Promise<Sample> => {
      const cpuBefore = cpuMicrosOf(server.pid);
      const begunAt = performance.now();
      const subscription = server.subscription('replay', 'beginning');
      const { received, readyMs } = await request({ kind: 'open', ...subscription, count: replayers, awaits: replayed });
      const seconds = (performance.now() - begunAt) / 1_000;
      const cpuMicros = perEvent(cpuBefore, cpuMicrosOf(server.pid), received);
      await request({ kind: 'close' });
      return { perSecond: received / seconds, ...latencyOf(readyMs), cpuMicros, errors: replayed * replayers - received };
    },
  };
}

function memorySettings(memory: MemorySamples): Findings['settings'] {
  return Object.fromEntries(
    [...memory].map(([name, kilobytes]) => [`KB a connection, ${name}`, Math.round(Math.max(...kilobytes) * 10) / 10]),
  );
}

function targetsOf(largest: Table | undefined, memory: MemorySamples, scale: Scale): Findings['targets'] {
  const [ours, nchan] = ['Holdfast', 'nchan'].map((name) => largest?.sides.find((side) => side.name === name));
  const count = scale.subscribers.at(-1) ?? 0;
  const kilobytes = memory.get(`Holdfast with ${count}`) ?? [];
  return [
    { work: `delivery p99 against nchan, ${titleOf(count)}`, unit: 'x', atMost: timesNchan, measured: p99RatioOf(ours, nchan) },
    { work: `memory a connection, ${count} subscribers`, unit: ' KB', atMost: connectionKbMax, measured: largestOf(kilobytes) },
  ];
}

/** Round by round. */
function p99RatioOf(ours: MeasuredSide | undefined, theirs: MeasuredSide | undefined): Spread {
  const ratio = ({ p99Ms }: Sample, round: number): number =>
    (p99Ms ?? Number.NaN) / (theirs?.samples[round]?.p99Ms ?? Number.NaN);
  return spreadOf((ours?.samples ?? []).map(ratio));
}

function largestOf(values: readonly number[]): Spread {
  const { min, max } = spreadOf(values);
  return { median: max, min, max };
}
