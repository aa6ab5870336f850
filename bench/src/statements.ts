import { systemClock, toInstant } from '@holdfast/kernel/context';
import type { UserId } from '@holdfast/kernel/ids';
import { startPlatform, type Platform } from './credits/platform.js';
import { fullRounds, quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { describeMachine } from './frame/machine.js';
import { measure, type Rounds, type Side } from './frame/measure.js';
import type { MeasuredSide } from './frame/results.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';
import { fillHistory, vacuum } from './statements/fill-history.js';
import { memoryMbOf, openStatement, statementSide, type Wanted } from './statements/read-statement.js';

const about: readonly string[] = [
  'A seller has 100,000 lines in a year. The benchmark reads the first page of a statement over the whole year, over its first and its last month, and the whole year as a CSV file. It reads them one after the other, through the gateway. The journal also holds the history of another user: ten thousand transfers, then a million.',
  'SQL statements write the history in sets, with the columns that the poster writes. Then a client reads the million lines of the other user as one file, as fast as they come, while the benchmark watches the memory of both processes.',
];

const seller: UserId = 'usr_seller';
const others: readonly UserId[] = ['usr_some', 'usr_many'];
const linesOfSeller = 100_000;
const linesOfOthers = [10_000, 1_000_000] as const;
const days = 360;
const dayMs = 86_400_000;
const clock = systemClock();

export const statements: Benchmark = { name: 'statements', title: 'Statements of a long history', run };

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? quickRounds : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  const users = [seller, ...others];
  const platform = await startPlatform({ folder, postgresUrl: postgres.url, amqpUrl: rabbitmq.url, users, onEnd });
  await fillHistory(platform.database, { userId: seller, lines: linesOfSeller, days });
  const sides: MeasuredSide[] = [];
  for (const [index, lines] of linesOfOthers.entries()) {
    onProgress(`writing ${lines} other transfers`);
    await fillHistory(platform.database, { userId: others[index] ?? seller, lines, days });
    await vacuum(postgres.url);
    sides.push(...(await measureAll(platform, `${lines.toLocaleString('en')} others`, { rounds, onProgress })));
  }
  onProgress('reading a million lines as one file');
  return {
    about,
    machine: describeMachine(['express', 'pg', 'undici'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: { 'lines of the seller': linesOfSeller, rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000 },
    tables: [{ title: 'A statement of 100,000 lines', unit: 'statements/s', sides, baseline: null }],
    drawings: [{ title: 'Memory while a file of a million lines is sent', lines: await memoryWhileSending(platform) }],
    targets: [],
    checks: ['every statement had the lines that were written'],
  };
}

type Measuring = { readonly rounds: Rounds; readonly onProgress: (fact: string) => void };

async function measureAll(
  { gateway }: Platform,
  journal: string,
  { rounds, onProgress }: Measuring,
): Promise<readonly MeasuredSide[]> {
  const nowMs = clock.epochMs();
  const daysAgo = (count: number): string => toInstant(nowMs - count * dayMs);
  const side = (name: string, from: number, to: number, accept: Wanted['accept'] = 'application/json'): Side =>
    statementSide(`${name}, ${journal}`, gateway, {
      userId: seller,
      from: daysAgo(from),
      to: daysAgo(to),
      accept,
      lines: linesOfSeller,
    });
  const sides = [
    side('first page of the year', days + 1, 0),
    side('first page of the first month', days + 1, days - 30),
    side('first page of the last month', 30, 0),
    side('the year as CSV', days + 1, 0, 'text/csv'),
  ];
  return measure(sides, rounds, onProgress);
}

const sampleEveryMs = 100;

async function memoryWhileSending({ gateway, pids }: Platform): Promise<readonly string[]> {
  const names = ['ledger-balance', 'gateway'] as const;
  const before = names.map((name) => memoryMbOf(pids[name]));
  const most = [...before];
  const watch = setInterval(() => {
    for (const [index, name] of names.entries()) most[index] = Math.max(most[index] ?? 0, memoryMbOf(pids[name]));
  }, sampleEveryMs);
  const begin = performance.now();
  const [from, to] = [clock.epochMs() - (days + 1) * dayMs, clock.epochMs()].map(toInstant);
  const wanted = { userId: others[1] ?? seller, from: from ?? '', to: to ?? '', accept: 'text/csv', lines: 0 } as const;
  const response = await openStatement(gateway, wanted);
  let bytes = 0;
  await response.body?.pipeTo(new WritableStream<Uint8Array>({ write: (chunk) => void (bytes += chunk.length) }));
  clearInterval(watch);
  const seconds = (performance.now() - begin) / 1_000;
  const sent = `${Math.round(bytes / 2 ** 20)} MB in ${seconds.toFixed(1)} s`;
  return [sent, ...names.map((name, index) => `${name.padEnd(15)} ${before[index]} MB before, ${most[index]} MB at most`)];
}
