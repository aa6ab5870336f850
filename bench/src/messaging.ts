import { fullRounds, quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { describeMachine } from './frame/machine.js';
import { measure, ratioOf } from './frame/measure.js';
import type { MeasuredSide } from './frame/results.js';
import { openOutboxToInbox, type Shape } from './messaging/outbox-to-inbox.js';
import { openMeasured } from './messaging/pipeline.js';
import { openRawLoop } from './messaging/raw-loop.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

const windowMax = 1_000;
/** What the host of a service uses. */
const prefetch = 200;
const pacePerSecond = 200;
const shareOfRaw = 0.5;

const batchedAtBothEnds: Shape = {
  key: 'batched',
  name: 'outbox to inbox, 100 messages a commit, handled in batches',
  senders: 10,
  messagesPerSend: 100,
  consumeMode: 'in batches',
};
const shapes: readonly Shape[] = [
  batchedAtBothEnds,
  {
    key: 'single',
    name: 'outbox to inbox, 1 message a commit, handled in batches',
    senders: 64,
    messagesPerSend: 1,
    consumeMode: 'in batches',
  },
  {
    key: 'plain',
    name: 'outbox to inbox, 1 message a commit, handled one by one',
    senders: 64,
    messagesPerSend: 1,
    consumeMode: 'one by one',
  },
];

const about: readonly string[] = [
  'Messages a second, from the commit that publishes them to the commit of their effect. On the way are a transaction with an outbox row, the relay, RabbitMQ, and the check of envelope and payload against the contract. At the end are the inbox and one row as the effect; both ends are durable in Postgres. The raw loop beside it is the least that amqplib can do on the same broker. It uses a confirm channel with a window of 1,000 messages, the same kind of quorum queue and the same prefetch. Its messages are persistent and of the same size; it has no database, makes the bytes once and never reads them. Everything runs in one process, on the machine that also runs Postgres and RabbitMQ.',
  'Three shapes: many messages a commit and batches through the inbox, as the ledger does it; one message a commit, as a request that begins a saga does it; and one transaction a message at both ends, as a plain service does it. The target applies to the first shape.',
  'Under full load, latency only measures the length of the queue. So latency is measured again with single messages at an even pace. It runs from the call that publishes a message to the commit of its effect, and in the raw loop from publish to arrival.',
];

export const messaging: Benchmark = {
  name: 'messaging',
  title: 'Messaging: outbox to inbox against a raw confirm loop',
  run,
};

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  const servers = { postgresUrl: postgres.url, amqpUrl: rabbitmq.url, prefetch };
  const raw = await openMeasured((consumed) => openRawLoop({ url: rabbitmq.url, windowMax, prefetch }, consumed));
  const ours = await inTurn(shapes, (shape) => openMeasured((consumed) => openOutboxToInbox(servers, shape, consumed)));
  const lines = [...ours, raw];
  for (const line of lines) onEnd(line.close);
  onProgress('as many as possible');
  const saturated = await measure(
    lines.map((line) => line.saturated),
    rounds,
    onProgress,
  );
  onProgress(`at ${pacePerSecond} a second`);
  const paced = await measure(
    lines.map((line) => line.paced(pacePerSecond)),
    rounds,
    onProgress,
  );
  const consumed = await inTurn(lines, (line) => line.audit());
  return {
    about,
    machine: describeMachine(['amqplib', 'pg'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: { rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000, window: windowMax, prefetch },
    ...comparisonsOf(saturated, paced),
    checks: [
      `every one of ${consumed.reduce((sum, count) => sum + count, 0).toLocaleString('en')} messages arrived, and each had its effect exactly once`,
    ],
  };
}

function comparisonsOf(saturated: readonly MeasuredSide[], paced: readonly MeasuredSide[]): Pick<Findings, 'tables' | 'targets'> {
  const [best] = saturated;
  const raw = saturated.at(-1);
  if (best === undefined || raw === undefined) throw new Error('nothing was measured');
  const untimed = saturated.map((side) => ({
    ...side,
    samples: side.samples.map((sample) => ({ ...sample, p50Ms: null, p99Ms: null })),
  }));
  return {
    tables: [
      { title: 'As many as possible', unit: 'messages/s', sides: untimed, baseline: raw.name },
      { title: `Latency at ${pacePerSecond} messages a second`, unit: 'messages/s', sides: paced, baseline: null },
    ],
    targets: [
      { work: 'outbox to inbox against a raw confirm loop', unit: 'x', atLeast: shareOfRaw, measured: ratioOf(best, raw) },
    ],
  };
}

async function inTurn<T, Result>(items: readonly T[], work: (item: T) => Promise<Result>): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}
