import { quickRounds, type Benchmark, type Findings, type RunOptions } from './frame/benchmark.js';
import { drive } from './frame/drive.js';
import { describeMachine } from './frame/machine.js';
import { measure, type Rounds, type Side } from './frame/measure.js';
import type { Table } from './frame/results.js';
import { startOrdersPlatform } from './orders/start-orders-platform.js';
import { openPayers } from './payments/payers.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

const fullRounds: Rounds = { count: 5, durationMs: 10_000, warmUpMs: 5_000 };
const clientCounts = [1, 32] as const;

const about: readonly string[] = [
  'Top-ups and withdrawals over HTTP, from the first request to the booked end. A top-up is created at the payment provider, confirmed and credited; a withdrawal is reserved, created and committed at the provider, completed and deducted. Each part has its own process on Postgres and RabbitMQ. The sandbox plays the payment provider without delay, confirms by itself and sends signed webhooks. The users exist beforehand, with money and linked accounts.',
  'Each flow takes two HTTP calls: the creation, and a refresh that waits until the ledger has booked the payment. Clients, services, sandbox, Postgres and RabbitMQ share the cores of one machine.',
];

export const payments: Benchmark = { name: 'payments', title: 'Top-ups and withdrawals over HTTP on RabbitMQ', run };

async function run({ isQuick, folder, onProgress, onEnd }: RunOptions): Promise<Findings> {
  const rounds = isQuick ? { ...quickRounds, warmUpMs: 1_000, durationMs: 3_000 } : fullRounds;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  onProgress('starting every service');
  const servers = { folder, databaseUrl: postgres.url, amqpUrl: rabbitmq.url, replicas: 1 };
  const platform = await startOrdersPlatform({ ...servers, isSandboxAutomatic: true });
  onEnd(platform.stop);
  const payers = await openPayers(platform);
  onEnd(payers.close);
  const tables: Table[] = [];
  for (const [title, call] of [
    ['Top-ups', payers.topUp],
    ['Withdrawals to a bank account', payers.withdraw],
  ] as const) {
    tables.push({ title, unit: 'a second', sides: await measure(sidesOf(call), rounds, onProgress), baseline: null });
  }
  return {
    about,
    machine: describeMachine(['pg'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: { rounds: rounds.count, 'seconds a round': rounds.durationMs / 1_000 },
    tables,
    targets: [],
    checks: ['every top-up ended as TOPUP_SUCCEEDED and every withdrawal as WITHDRAWAL_COMPLETED, and no call failed'],
  };
}

function sidesOf(call: () => Promise<void>): readonly Side[] {
  return clientCounts.map((callers) => ({
    name: callers === 1 ? '1 client' : `${callers.toString()} clients`,
    run: (durationMs) => drive({ callers, durationMs, call }),
  }));
}
