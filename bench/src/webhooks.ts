import { systemClock } from '@holdfast/kernel/context';
import { fullRounds, quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { drive } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, ratioOf, type Side } from './frame/measure.js';
import type { MeasuredSide } from './frame/results.js';
import { startDurablePostgres } from './servers/postgres.js';
import { openReceivers, type Receiver } from './webhooks/open-receivers.js';
import { createWebhooks, type WebhookSource } from './webhooks/signed-webhooks.js';

const callers = 128;
const shareOfStatements = 0.8;

const about: readonly string[] = [
  'Webhooks of the payment provider a second, as the HTTP server of `payments` passes them on. The receiver verifies the signature over the raw bytes, stores the event once in its own durable commit, and stores its result. Every tenth webhook repeats an earlier one. The reference runs the same verification and the same two statements on the same server, without the receiver. The effects of an event are left out on both sides.',
  'The benchmark makes the signatures in the same process, on both sides.',
];

export const webhooks: Benchmark = {
  name: 'webhooks',
  title: 'Webhooks of the payment provider against their statements alone',
  run,
};

type MeasuredReceiver = { readonly side: Side; readonly prove: () => Promise<number> };

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const receivers = await openReceivers({
    platform: await postgres.createDatabase('platform'),
    statements: await postgres.createDatabase('statements'),
  });
  onEnd(receivers.close);
  const measuredReceivers = [
    receiverSide('payments', receivers.platform, createWebhooks(systemClock(), 'ours')),
    receiverSide('statements alone', receivers.statements, createWebhooks(systemClock(), 'plain')),
  ];
  const sides = measuredReceivers.map(({ side }) => side);
  const measured = await measure(sides, rounds, onProgress);
  onProgress('counting the stored events');
  let proven = 0;
  for (const { prove } of measuredReceivers) proven += await prove();
  return {
    about,
    machine: describeMachine(['pg', 'standardwebhooks'], { postgres: postgres.version }),
    settings: { callers, rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000 },
    ...comparisonOf(measured),
    checks: [`each of ${proven.toLocaleString('en')} events is stored exactly once, and finished`],
  };
}

function receiverSide(name: string, { receive, audit }: Receiver, source: WebhookSource): MeasuredReceiver {
  return {
    side: { name, run: (durationMs) => drive({ callers, durationMs, call: () => receive(source.next()) }) },
    prove: async () => {
      const stored = await audit();
      if (stored !== source.distinct()) throw new Error(`${name}: ${source.distinct()} events were sent, ${stored} are stored`);
      return stored;
    },
  };
}

function comparisonOf(sides: readonly MeasuredSide[]): Pick<Findings, 'tables' | 'targets'> {
  const [ours, plain] = sides;
  if (ours === undefined || plain === undefined) throw new Error('nothing was measured');
  const work = 'verified webhooks with 10 % duplicates against their statements alone';
  return {
    tables: [{ title: 'Verified and stored webhooks', unit: 'webhooks/s', sides, baseline: plain.name }],
    targets: [{ work, unit: 'x', atLeast: shareOfStatements, measured: ratioOf(ours, plain) }],
  };
}
