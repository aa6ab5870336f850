import { randomUUID } from 'node:crypto';
import { toEpochMs, toInstant, type Clock, type Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type MarketplaceId, type NewId, type WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Outbox } from '@holdfast/messaging/outbox';
import { connectDatabase, type Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { notifications } from '../service.js';
import { createPartitions } from '../store/partitions.js';
import { webhookStore, type WebhookStore } from '../store/webhooks/webhook-store.js';
import { createEndpoint, type CreateEndpoint } from '../use-cases/webhooks/create-endpoint.js';
import { createDeliveryWorker, type DeliveryWorker } from '../use-cases/webhooks/delivery-worker.js';
import { fanOutEvents } from '../use-cases/webhooks/fan-out-events.js';
import type { AttemptOutcome, WebhookAttempt, WebhookDeps, WebhookSender } from '../use-cases/webhooks/ports.js';
import type { WorkerDeps } from '../use-cases/webhooks/worker-ports.js';
import { entities } from '../store/schema.js';
import { notificationsMigrations } from './running-notifications.js';

/** A process that delivers webhooks, as far as the database can tell. */
export type TestWorker = DeliveryWorker & {
  readonly fanOut: () => Promise<void>;
  readonly store: WebhookStore;
};

export type WorkerOptions = {
  readonly send: WebhookSender['send'];
  /** By default its own connection to the database. */
  readonly database?: Database;
};

/** The database of the service with workers that tests start and leave, as processes that die. */
export type WebhookWorkers = {
  readonly server: TestDatabase;
  readonly deps: WebhookDeps;
  /** Types of the messages that were published, in order. */
  readonly published: readonly string[];
  /** Moves the clock of all processes. */
  readonly moveClock: (ms: number) => void;
  readonly context: (marketplaceId?: MarketplaceId) => Context;
  readonly anEndpoint: (given?: Partial<CreateEndpoint>, marketplaceId?: MarketplaceId) => Promise<WebhookEndpointId>;
  /** Appends so many events of an aggregate to the log. */
  readonly append: (count: number, aggregateId?: string, marketplaceId?: MarketplaceId) => Promise<void>;
  readonly start: (options: WorkerOptions) => Promise<TestWorker>;
  /** All deliveries, in the order of the log. */
  readonly rows: () => Promise<readonly DeliveryRow[]>;
  readonly connect: (adminUrl: string) => Promise<Database>;
};

export type DeliveryRow = { readonly status: string; readonly attempts: number; readonly logged: number };

const selectRows = `
  select status, attempts, jsonb_array_length(attempt_log) as logged
  from notifications.webhook_deliveries
  order by position, id`;

export const delivered: AttemptOutcome = { durationMs: 1, status: 200, error: null, responseBody: '', retryAfterSeconds: null };
export const refused: AttemptOutcome = { ...delivered, status: 500, error: 'STATUS' };

export async function webhookWorkers(realClock: Clock): Promise<WebhookWorkers> {
  const server = await serviceDatabase(notifications);
  const database = await server.open({ ...tables, poolMax: 3 });
  await createPartitions(database, realClock);
  let movedMs = 0;
  const clock: Clock = {
    epochMs: () => realClock.epochMs() + movedMs,
    now: () => toInstant(toEpochMs(realClock.now()) + movedMs),
  };
  const newId = idFactory(realClock.epochMs);
  const published: string[] = [];
  const storeOn = createStores(clock, published, newId);
  const context = (marketplaceId: MarketplaceId = defaultMarketplaceId): Context => ({
    caller: { type: 'system', id: 'test', marketplaceId, scopes: [] },
    requestId: randomUUID(),
    at: clock.now(),
    log: silentLog,
  });
  const deps = { ...storeOn(database), ...endpointDeps, newId };
  return {
    server,
    deps,
    published,
    moveClock: (ms) => void (movedMs += ms),
    context,
    anEndpoint: async (given = {}, marketplaceId) => {
      const input = { url: 'https://a.example/', types: [], ordering: 'aggregate', ...given } as const;
      return (await createEndpoint(deps, input, context(marketplaceId))).id;
    },
    append: createAppend(server, newId),
    rows: () => server.asAdmin<DeliveryRow>(selectRows),
    connect: (adminUrl) =>
      connectDatabase({ adminUrl, service: 'notifications', internalSecret: server.internalSecret, log: silentLog }),
    start: async ({ send, database: given }) => {
      const store = storeOn(given ?? (await server.open({ ...tables, poolMax: 3 })));
      return startWorker({ ...store, ...attemptDeps, sender: { send }, clock, newId, newContext: context }, store);
    },
  };
}

const tables = { service: 'notifications', migrations: notificationsMigrations, entities };
const endpointDeps = {
  sender: { checkUrl: () => Promise.resolve('ok' as const) },
  newSecret: () => `whsec_${Buffer.from(randomUUID()).toString('base64')}`,
  endpointsMax: 1_000,
  historyDays: 30,
};
const attemptDeps = {
  log: silentLog,
  retryGaps: [60, 60],
  random: () => 0.5,
  counts: { attempt: () => undefined, ended: () => undefined },
};

function createStores(clock: Clock, published: string[], newId: NewId): (database: Database) => WebhookStore {
  // These tests look at the types of the messages only.
  const outbox = {
    add: (_: unknown, { type }: { type: string }) => ({ id: (published.push(type), newId('evt')) }),
  } as unknown as Outbox;
  return (database) => webhookStore({ database, outbox, clock, deriveKey: () => Buffer.alloc(32), wakeWorkers: () => undefined });
}

function createAppend(server: TestDatabase, newId: NewId): WebhookWorkers['append'] {
  let appended = 0;
  return async (count, aggregateId, marketplaceId = defaultMarketplaceId) => {
    for (let made = 0; made < count; made += 1) {
      const [event, aggregate] = [newId('evt'), aggregateId ?? newId('ord')];
      await server.asAdmin(
        `with moved as (update notifications.appender set last_position = last_position + 1 returning last_position)
        insert into notifications.events
          (position, appended_at, marketplace_id, occurred_at, event_id, event_type, aggregate_type, aggregate_id, envelope)
        select last_position, now(), $1, now() + make_interval(secs => $5), $2, 'order.created', 'Order', $3, $4 from moved`,
        [marketplaceId, event, aggregate, JSON.stringify({ eventId: event }), (appended += 1) / 1_000_000],
      );
    }
  };
}

function startWorker(deps: WorkerDeps, store: WebhookStore): TestWorker {
  const dueIn = (ms: number): void => {
    if (ms < 2_000) setTimeout(() => background(worker.work()), ms).unref();
  };
  const background = (work: Promise<void>): void => void work.catch(() => undefined);
  const worker = createDeliveryWorker({ ...deps, leaseMs: 30_000, drainMs: 0, background, dueIn });
  const fanOut = async (): Promise<void> => void worker.lookAgain((await fanOutEvents(deps)).endpointIds);
  return { ...worker, fanOut, store };
}

/** A receiver that responds at once. */
export function sent(received: string[], outcome = delivered): WebhookSender['send'] {
  return ({ eventId }) => {
    received.push(eventId);
    return Promise.resolve(outcome);
  };
}

/** A receiver that responds when the test says so. */
export function held() {
  const attempts: WebhookAttempt[] = [];
  let respond: (outcome: AttemptOutcome) => void = () => undefined;
  const send = (attempt: WebhookAttempt, signal: AbortSignal) =>
    new Promise<AttemptOutcome>((resolve, reject) => {
      attempts.push(attempt);
      respond = resolve;
      signal.addEventListener('abort', () => reject(new Error('stopped')));
    });
  return { attempts, send, respond: (outcome: AttemptOutcome) => respond(outcome) };
}

export function isOpen({ status }: DeliveryRow): boolean {
  return ['PENDING', 'RETRYING'].includes(status);
}
