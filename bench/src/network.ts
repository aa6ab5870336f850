import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '@holdfast/kernel/context';
import type { Benchmark, Findings, RunOptions } from './frame/benchmark.js';
import { describeMachine } from './frame/machine.js';
import type { Window } from './network/budget-use.js';
import { drawingsOf, targetsOf, type NetworkRun } from './network/findings.js';
import { readLandedSteps } from './network/landed-steps.js';
import { createOrderClient, type OrderClient, type Party, type PlayedOrder } from './network/order-client.js';
import { startNetwork, type Network, type NetworkConditions } from './network/start-network.js';
import { startOrdersPlatform, type PlatformServers } from './orders/start-orders-platform.js';
import { startDurablePostgres } from './servers/postgres.js';
import { startOwnRabbitmq } from './servers/rabbitmq.js';

const now = systemClock().epochMs;
const conditions: NetworkConditions = { ledgerMs: 5_000, callsPerMinute: 50, indexLagMs: 20_000 };
const errorProbability = 0.01;
const replicaCounts = [1, 2] as const;
/** The budget allows about 8 orders a minute: this many clients keep it busy without a queue that only adds waiting. */
const clients = 5;
/** More of them empty the bucket before anything is measured. */
const warmUpClients = 10;
const fullTimes = { warmUpMs: 90_000, measuredMs: 240_000 };
const quickTimes = { warmUpMs: 30_000, measuredMs: 60_000 };
const settlementTimeoutMs = 60_000;
const refusedPauseMs = 1_000;

const about: readonly string[] = [
  'The whole life of an order over HTTP on a network like the public one. Ledgers close every 5 seconds, and one call in a hundred to provider and network fails. The escrow provider allows 50 calls a minute, sees a deployment up to 20 seconds late, and sends no webhooks. Each part has its own process on Postgres and RabbitMQ, as in the chapter on whole orders.',
  `${clients.toString()} clients play one order after the other. Before that ${warmUpClients.toString()} clients empty the provider's bucket and activate the accounts. A call counts as useful if it succeeded, its order ended, and it was not built a second time; the share relates to all calls that the provider allowed in the measured time.`,
  'An order cannot be faster than the sum of its ledgers: one ledger for each of its transactions (deploy, fund, complete, approve, release). A 504 whose step ends by itself is documented behaviour, so it does not count as a failure; every other response except a success does.',
];

export const network: Benchmark = { name: 'network', title: 'Whole orders on a realistic network', run };

async function run(options: RunOptions): Promise<Findings> {
  const { folder, onProgress, onEnd } = options;
  const postgres = await startDurablePostgres(folder, onProgress);
  onEnd(postgres.stop);
  const rabbitmq = await startOwnRabbitmq(folder, onProgress);
  onEnd(rabbitmq.stop);
  const outside = await startNetwork(folder, conditions, now);
  onEnd(outside.stop);
  await outside.failSometimes(errorProbability);
  const runs: NetworkRun[] = [];
  for (const replicas of replicaCounts)
    runs.push(await measureReplicas({ folder, databaseUrl: postgres.url, amqpUrl: rabbitmq.url, replicas }, outside, options));
  const times = options.isQuick ? quickTimes : fullTimes;
  return {
    about,
    machine: describeMachine(['pg'], { postgres: postgres.version, rabbitmq: rabbitmq.version }),
    settings: { clients, 'seconds of warm-up': times.warmUpMs / 1_000, 'seconds measured': times.measuredMs / 1_000 },
    tables: [],
    drawings: runs.flatMap(drawingsOf),
    targets: runs.flatMap(targetsOf),
    checks: ['every order without a failure ended as CLOSED'],
  };
}

/** The platform with that many processes of each service, from its start to its stop. */
async function measureReplicas(
  servers: PlatformServers,
  outside: Network,
  { isQuick, onProgress }: RunOptions,
): Promise<NetworkRun> {
  const { replicas, databaseUrl } = servers;
  onProgress(`starting every service, ${replicas.toString()} of each`);
  const environment = { ...outside.variables, SETTLEMENT_TIMEOUT_MS: settlementTimeoutMs.toString(), LOG_LEVEL: 'warn' };
  const platform = await startOrdersPlatform({ ...servers, environment });
  try {
    const client = createOrderClient(platform, now);
    const { orders, window } = await playOrders(client, isQuick ? quickTimes : fullTimes, onProgress);
    const steps = await readLandedSteps(databaseUrl);
    return { ...conditions, replicas, window, orders, steps, calls: outside.calls(), closedAt: outside.closedAt };
  } finally {
    await platform.stop();
  }
}

type Times = { readonly warmUpMs: number; readonly measuredMs: number };

type Played = { readonly orders: readonly PlayedOrder[]; readonly window: Window };

async function playOrders(client: OrderClient, times: Times, onProgress: (fact: string) => void): Promise<Played> {
  const parties = await Promise.all(Array.from({ length: warmUpClients }, (_, nth) => client.makeParty(nth.toString())));
  const orders: PlayedOrder[] = [];
  const playWhile = async (party: Party, isOpen: () => boolean): Promise<void> => {
    while (isOpen()) {
      const order = await client.play(party);
      orders.push(order);
      onProgress(`  order ${orders.length.toString()} ${order.failure ?? 'ended'}`);
      // A platform that refuses everything is not flooded.
      if (order.failure !== undefined) await pause(refusedPauseMs);
    }
  };
  const warmUpEndsAt = now() + times.warmUpMs;
  let endedAt = Number.POSITIVE_INFINITY;
  onProgress(`playing orders for ${((times.warmUpMs + times.measuredMs) / 1_000).toFixed(0)} s`);
  const measured = parties.slice(0, clients).map((party) => playWhile(party, () => now() < endedAt));
  // Their last orders still stand in the queue of the budget, so nothing is measured before these have ended.
  await Promise.all(parties.slice(clients).map((party) => playWhile(party, () => now() < warmUpEndsAt)));
  const startedAt = now();
  endedAt = startedAt + times.measuredMs;
  await Promise.all(measured);
  return { orders, window: { startedAt, endedAt } };
}
