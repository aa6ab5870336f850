import type { ConnectionPool as Pool } from '../../postgres/index.js';
import type { Batcher } from '../../batching/index.js';
import type { Clock, Log } from '../../context/index.js';
import { PublishFailed, retryLadderMs, type Broker, type BrokerEvent, type Topology } from '../broker.js';
import { createLocalHints } from '../local-hints.js';
import { observeSafely } from '../observe-safely.js';
import { endsWithin } from '../time-limit.js';
import { refuseUnknownQueue } from '../topology.js';
import { createInserter, type FreshRow } from './inserter.js';
import { createOutcomes, type Outcome, type Outcomes } from './outcomes.js';
import { takeOwnership, type Ownership } from './ownership.js';
import { listParked, redriveParked } from './parked.js';
import { publishRows } from './publish-rows.js';
import { createQueueWorker, type QueueWorker } from './queue-worker.js';

export type InProcessOptions = {
  /** Of a role whose schema has the table `deliveries`. */
  readonly pool: Pool;
  readonly topology: Topology;
  readonly log: Log;
  readonly clock: Clock;
  readonly ladderMs?: readonly number[];
  readonly publishTimeoutMs?: number;
  /** How long stopping waits for handlers that still run. */
  readonly drainTimeoutMs?: number;
  /** How long to wait for another process to let go: one that was killed keeps its sessions for a moment. */
  readonly lockTimeoutMs?: number;
  readonly onEvent?: (event: BrokerEvent) => void;
};

const defaults = { ladderMs: retryLadderMs, publishTimeoutMs: 10_000, drainTimeoutMs: 8_000, lockTimeoutMs: 10_000 } as const;
const flushTimeoutMs = 2_000;

type Parts = {
  readonly options: Required<InProcessOptions>;
  readonly ownership: Ownership;
  readonly outcomes: Outcomes;
  readonly workers: ReadonlyMap<string, QueueWorker>;
  readonly inserter: Batcher<FreshRow, boolean>;
};

/**
 * Messaging within one process, as durable as Postgres: a message is a row per queue until it is handled. What is
 * published here is delivered from memory; the table is read only for what memory does not have.
 */
export async function openInProcessBroker(given: InProcessOptions): Promise<Broker> {
  const options: Required<InProcessOptions> = { ...defaults, ...given, onEvent: observeSafely(given.onEvent, given.log) };
  const { pool, topology, log, clock } = options;
  const ownership = await takeOwnership(options);
  const workers = new Map<string, QueueWorker>();
  const outcomes = createOutcomes({ ownership, clock, log, onWritten: (written) => noteWritten(workers, written) });
  for (const { name } of topology.queues) workers.set(name, createQueueWorker({ ...options, queue: name, ownership, outcomes }));
  ownership.watch({
    onLost: () => {
      for (const worker of workers.values()) worker.forget();
    },
    onRegained: () => {
      outcomes.resume();
      for (const worker of workers.values()) worker.look();
    },
  });
  const inserter = createInserter({ pool, clock, onInserted: (rows) => offer(workers, rows) });
  return toBroker({ options, ownership, outcomes, workers, inserter });
}

function noteWritten(workers: ReadonlyMap<string, QueueWorker>, outcomes: readonly Outcome[]): void {
  for (const outcome of outcomes) workers.get(outcome.queue)?.noteWritten(outcome);
}

function offer(workers: ReadonlyMap<string, QueueWorker>, rows: readonly FreshRow[]): void {
  for (const [queue, worker] of workers) {
    const own = rows.filter((row) => row.queue === queue);
    if (own.length > 0) worker.offer(own.map(({ messageId, type, body }) => ({ messageId, type, body, attempts: 0 })));
  }
}

function toBroker(parts: Parts): Broker {
  const { options, ownership, workers, inserter } = parts;
  const { pool, clock, topology } = options;
  const hints = createLocalHints(options.log);
  const publish = publishRows({ ...options, inserter });
  let closing: Promise<void> | undefined;
  const workerOf = (queue: string): QueueWorker => {
    refuseUnknownQueue(topology, queue);
    const worker = workers.get(queue);
    if (worker === undefined || closing !== undefined) throw new Error('The broker is closed.');
    return worker;
  };
  return {
    publish: async (envelopes) => {
      if (closing !== undefined)
        throw new PublishFailed(
          'The broker is closed.',
          envelopes.map(({ id }) => id),
        );
      await publish(envelopes);
    },
    consume: (queue, { prefetch }, handler) => new Promise((resolve) => resolve(workerOf(queue).consume(prefetch, handler))),
    broadcast: hints.tell,
    onBroadcast: hints.listen,
    listParked: async (queue, limitMax) => {
      refuseUnknownQueue(topology, queue);
      return listParked(pool, queue, limitMax);
    },
    redriveParked: async (queue, messageIds) => {
      const worker = workerOf(queue);
      const count = await redriveParked(pool, clock, queue, messageIds);
      worker.look();
      return count;
    },
    isHealthy: () => ownership.session() !== undefined,
    close: () => (closing ??= close(parts)),
  };
}

async function close({ workers, inserter, outcomes, ownership, options }: Parts): Promise<void> {
  await Promise.all([...workers.values()].map((worker) => worker.stop()));
  await endsWithin(inserter.drain(), options.publishTimeoutMs);
  await endsWithin(outcomes.settled(), flushTimeoutMs);
  await ownership.close();
}
