import { setTimeout as pause } from 'node:timers/promises';
import { brokerMigrations, openInProcessBroker, topologyOf, type Broker } from '@holdfast/messaging/broker';
import { allMessages } from '@holdfast/contracts/messages';
import { createOutbox, createRelay, type Outbox, type Relay } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { parkedMessages } from '@holdfast/messaging/parked';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import type { Bench } from './bench.js';

/** The outbox of the ledger with its relay and a consumer. */
export type Publishing = {
  readonly broker: Broker;
  readonly outbox: Outbox;
  /** Resolves once every message has been published, handled and deleted. */
  readonly published: () => Promise<void>;
};

/** Off: rows are written to the outbox and stay there. On: they are published, handled and deleted, all in this process. */
export async function openPublishing(
  { open, lifecycle, clock, newId }: Bench,
  database: Database,
  publishes: boolean,
): Promise<Publishing> {
  const { pool } = await open('broker', { migrations: [brokerMigrations] });
  // Balance events go to the event log, which does nothing with them here.
  const topology = topologyOf(allMessages, ['notifications']);
  const broker = await openInProcessBroker({ pool, topology, log: silentLog });
  lifecycle.onStop('broker', broker.close);
  await broker.consume('notifications', { prefetch, parked: parkedMessages(database.pool) }, () => Promise.resolve());
  const relay = createRelay({ database, broker, log: silentLog });
  lifecycle.onStop('relay', relay.stop);
  if (!publishes) {
    const ignoring = { limits: relay.limits, handOver: () => undefined };
    return { broker, outbox: createOutbox({ clock, newId, relay: ignoring }), published: () => Promise.resolve() };
  }
  lifecycle.onStop('sweeper', runJobs(relay.job).stop);
  const isIdle = async (): Promise<boolean> => {
    if (relay.counters().inMemory > 0 || (await relay.backlog()).rows > 0) return false;
    const { rowCount } = await pool.query('select from deliveries limit 1');
    return rowCount === 0;
  };
  return { broker, outbox: createOutbox({ clock, newId, relay }), published: () => untilIdle(isIdle, relay) };
}

/** What the host of a service uses. */
const prefetch = 200;
const publishTimeoutMs = 60_000;
const pollMs = 10;

async function untilIdle(isIdle: () => Promise<boolean>, relay: Relay): Promise<void> {
  const deadline = performance.now() + publishTimeoutMs;
  while (!(await isIdle())) {
    if (performance.now() > deadline)
      throw new Error(`messages still wait after ${publishTimeoutMs} ms: ${JSON.stringify(relay.counters())}`);
    await pause(pollMs);
  }
}
