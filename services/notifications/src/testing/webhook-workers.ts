import { randomUUID } from 'node:crypto';
import { toEpochMs, toInstant, type Clock, type Context } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type MarketplaceId, type WebhookEndpointId } from '@holdfast/kernel/ids';
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
import type { AttemptOutcome, WebhookAttempt, WebhookDeps, WebhookSender, WorkerDeps } from '../use-cases/webhooks/ports.js';
import { entities } from '../store/schema.js';
import { notificationsMigrations } from './running-notifications.js';

/** A process that delivers webhooks, as far as the database can tell. */
export type TestWorker = DeliveryWorker & {
  readonly fanOut: () => Promise<void>;
  readonly store: WebhookStore;
};

export type WorkerOptions = {
  readonly send: WebhookSender['send'];
  /** By default a connection of its own to the database. */
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
  readonly connect: (adminUrl: string) => Promise<Database>;
};

export const delivered: AttemptOutcome = { durationMs: 1, status: 200, error: null, responseBody: '', retryAfterSeconds: null };
export const refused: AttemptOutcome = { ...delivered, status: 500, error: 'STATUS' };

export async function webhookWorkers(realClock: Clock): Promise<WebhookWorkers> {
  const server = await serviceDatabase(notifications);
  const tables = { service: 'notifications', migrations: notificationsMigrations, entities };
  const database = await server.open({ ...tables, poolMax: 3 });
  await createPartitions(database, realClock);
  let movedMs = 0;
  const clock: Clock = {
    epochMs: () => realClock.epochMs() + movedMs,
    now: () => toInstant(toEpochMs(realClock.now()) + movedMs),
  };
  const newId = idFactory(realClock.epochMs);
  const published: string[] = [];
  // eslint-disable-next-line holdfast/no-type-assertion -- these tests look at the types of the messages only
  const outbox = {
    add: (_: unknown, { type }: { type: string }) => ({ id: (published.push(type), newId('evt')) }),
  } as unknown as Outbox;
  const storeOn = (on: Database): WebhookStore =>
    webhookStore({ database: on, outbox, clock, deriveKey: () => Buffer.alloc(32), wakeWorkers: () => undefined });
  const context = (marketplaceId: MarketplaceId = defaultMarketplaceId): Context => ({
    caller: { type: 'system', id: 'test', marketplaceId, scopes: [] },
    requestId: randomUUID(),
    at: clock.now(),
    log: silentLog,
  });
  const checkUrl = () => Promise.resolve('ok' as const);
  const newSecret = () => `whsec_${Buffer.from(randomUUID()).toString('base64')}`;
  const deps: WebhookDeps = {
    ...storeOn(database),
    sender: { checkUrl },
    newSecret,
    newId,
    endpointsMax: 1_000,
    historyDays: 30,
  };
  let appended = 0;
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
    append: async (count, aggregateId, marketplaceId = defaultMarketplaceId) => {
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
    },
    connect: (adminUrl) =>
      connectDatabase({ adminUrl, service: 'notifications', internalSecret: server.internalSecret, log: silentLog }),
    start: async ({ send, database: given }) => {
      const store = storeOn(given ?? (await server.open({ ...tables, poolMax: 3 })));
      const workerDeps: WorkerDeps = {
        ...store,
        sender: { send: (attempt: WebhookAttempt, signal) => send(attempt, signal) },
        clock,
        log: silentLog,
        newId,
        newContext: context,
        retryGaps: [60, 60],
        random: () => 0.5,
        counts: { attempt: () => undefined, ended: () => undefined },
      };
      const own: { worker?: DeliveryWorker } = {};
      const dueIn = (ms: number): void => {
        if (ms <= 1_000) setTimeout(() => void own.worker?.work(), ms).unref();
      };
      const background = (): void => undefined;
      own.worker = createDeliveryWorker({ ...workerDeps, leaseMs: 30_000, drainMs: 0, background, dueIn });
      const fanOut = async (): Promise<void> => {
        own.worker?.lookAgain((await fanOutEvents(workerDeps)).endpointIds);
      };
      return { ...own.worker, fanOut, store };
    },
  };
}
