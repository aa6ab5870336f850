import { randomUUID } from 'node:crypto';
import type { Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type NewId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';
import { runJobs } from '@holdfast/testing/jobs';
import { silentLog } from '@holdfast/testing/log';
import type { JobRunner, WakeJob } from '@holdfast/work';
import {
  createIntentWorker,
  insertIntent,
  intentStore,
  type Handler,
  type IntentStore,
  type IntentWorker,
  type IntentWorkerLimits,
  type NewIntent,
} from '../index.js';

const clock = systemClock();
export const newId: NewId = idFactory(clock.epochMs);

export function aNewIntent(given: Partial<NewIntent> = {}): NewIntent {
  return {
    id: newId('evt'),
    kind: 'pay',
    subject: newId('wd'),
    priority: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    requestedAt: clock.now(),
    payload: {},
    ...given,
  };
}

export function aMessage(given: Partial<Envelope> = {}): Envelope {
  return {
    id: newId('evt'),
    type: 'withdrawal.payment_requested',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'Withdrawal',
    aggregateId: newId('wd'),
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    payload: {},
    ...given,
  };
}

/** One process with intents: its handler closes each of them with these replies, unless another one is given. */
export type IntentsProcess = {
  readonly intents: IntentStore;
  readonly worker: IntentWorker;
  /** Starts the jobs of the worker. */
  readonly start: () => void;
  readonly wakeJob: WakeJob;
  /** Stops them, then the worker. */
  readonly stop: () => Promise<void>;
  /** Stores the intent in its own transaction. */
  readonly store: (intent: NewIntent) => Promise<void>;
  /** The ids of the intents that this process has run, in order. */
  readonly ran: readonly string[];
};

export type ProcessOptions = {
  readonly database: Database;
  readonly handler?: Handler;
  readonly replies?: readonly Envelope[];
  readonly leaseMs?: number;
  readonly limits?: Partial<IntentWorkerLimits>;
  readonly signal?: AbortSignal;
  readonly wakeReplicas?: (jobName: string) => void;
  /** Replaces calls of the store. */
  readonly observe?: (store: IntentStore) => IntentStore;
};

export function intentsProcess({
  database,
  replies = [],
  leaseMs = 60_000,
  limits = {},
  wakeReplicas = () => undefined,
  observe = (store) => store,
  ...given
}: ProcessOptions): IntentsProcess {
  const owner = randomUUID();
  const intents = observe(intentStore({ database, owner, leaseMs }));
  const close: Handler = async (intent) => {
    await database.inTransaction((tx) => intents.close(tx, intent, { replies, at: clock.now() }));
    return 'closed';
  };
  const { handler = close, ...signal } = given;
  const ran: string[] = [];
  const pay: Handler = (intent, signal) => {
    ran.push(intent.id);
    return handler(intent, signal);
  };
  let runner: JobRunner | undefined;
  const wake: WakeJob = (name, inMs) => runner?.wake(name, inMs);
  const options = { store: intents, handlers: { pay }, log: silentLog, limits, wake, wakeReplicas };
  const worker = createIntentWorker({ ...options, ...signal });
  const insert = insertIntent(() => worker);
  const store = (intent: NewIntent): Promise<void> =>
    database.inTransaction((tx) => {
      insert(tx, intent);
      return Promise.resolve();
    });
  return {
    intents,
    worker,
    store,
    ran,
    wakeJob: wake,
    start: () => {
      runner = runJobs(...worker.jobs);
    },
    stop: async () => {
      await runner?.stop();
      await worker.stop();
    },
  };
}
