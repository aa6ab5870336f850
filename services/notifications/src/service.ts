import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { credentialsTopic } from '@holdfast/contracts/messages';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { platformVersion } from '@holdfast/observability';
import { deleteInBatches } from '@holdfast/postgres';
import { createQueueConsumer, defineService, assertAllMessagesHandled, type ServiceRuntime } from '@holdfast/service-kit';
import { idempotentRequestsMigrations } from '@holdfast/service-kit/idempotent-requests';
import type { Job } from '@holdfast/work';
import { gapsIn, settings, type Settings } from './config.js';
import { routesOf } from './http/routes.js';
import { consumersOf } from './messages/consumers.js';
import { deliverWebhooks, webhookCounts, webhookJobs, type WebhookJobs } from './messages/webhook-jobs.js';
import { summaryJob } from './messages/summary-job.js';
import * as declared from './metrics.js';
import { networksIn } from './providers/address-policy.js';
import { createWebhookSender } from './providers/webhook-sender.js';
import { createAppender, type Appender, type AppenderOptions } from './store/appender.js';
import { Superseded } from './store/append-batch.js';
import { auditStore } from './store/audit-store.js';
import { eventLists } from './store/event-lists.js';
import { logReader, type LogReader } from './store/event-log.js';
import { contendForLeadership, type Leadership } from './store/leadership.js';
import { dropOldPartitions, createPartitions, ensurePartitions } from './store/partitions.js';
import { verifyAuditChain } from './store/verify-audit-chain.js';
import { auditSealPurpose, sealerWith, type Sealer } from './store/record-audit.js';
import { entities } from './store/schema.js';
import { summaryStore } from './store/summary-store.js';
import { followLog, type Tail, type TailOptions } from './store/tail.js';
import { leaseSeconds } from './store/webhooks/endpoint-leases.js';
import { webhookStore } from './store/webhooks/webhook-store.js';
import { disconnectTwice } from './use-cases/disconnect-twice.js';
import { createPageReader } from './use-cases/page-reader.js';
import type { StreamDeps } from './use-cases/ports.js';
import { createStreamLag } from './use-cases/stream-lag.js';
import { createSubscribers, type Subscribers } from './use-cases/subscribers.js';
import { createDeliveryWorker } from './use-cases/webhooks/delivery-worker.js';
import type { WebhookDeps } from './use-cases/webhooks/ports.js';
import type { WorkerDeps } from './use-cases/webhooks/worker-ports.js';

type Runtime = ServiceRuntime<Settings>;

/** Topic of the notification after an append; its key is the last position of the log. */
const logAppendedTopic = 'event-log';

/** Owns the event log, the event stream, outbound webhooks and the audit trail. */
export const notifications = defineService({
  name: 'notifications',
  sharedMigrations: [idempotentRequestsMigrations],
  migrations: new URL('../migrations', import.meta.url),
  settings,
  entities,
  metrics: declared.metrics,
  create: async (runtime) => {
    const { database, broker, clock, deriveKey } = runtime;
    await createPartitions(database, clock);
    const reader = logReader(database);
    const sealer = sealerWith(deriveKey(auditSealPurpose));
    const from = await reader.ends();
    const streams = streamDeps(runtime, reader);
    const webhooks = webhooksOf(runtime);
    const summary = summaryStore(database);
    const counting = summaryJob(runtime, summary);
    const subscribers = createSubscribers(streams, from.position);
    let isAppending = false;
    const tail = serveStreams(runtime, { reader, subscribers, from, isAppending: () => isAppending });
    const onAppended: Appending['onAppended'] = ({ events, lastPosition, hasKeyChanges }) => {
      tail.feed(events);
      tail.wake(lastPosition);
      if (hasKeyChanges) tail.wake();
      counting.onAppended();
      // Every replica serves streams; one that misses the notification finds the events by its poll.
      if (events.length > 0) {
        broker.broadcast({ topic: logAppendedTopic, key: lastPosition.toString() });
        webhooks.onAppended();
      }
    };
    const onLeading: Appending['onLeading'] = (isLeading) => {
      isAppending = isLeading;
      tail.wake();
      if (isLeading) counting.onAppended();
    };
    appendWhileLeader(runtime, { sealer, onAppended, onLeading, handleClockAdvanced: webhooks.handleClockAdvanced });
    return {
      routes: routesOf({
        streams: { ...streams, subscribers, readPage: createPageReader(reader) },
        webhooks: webhooks.deps,
        audit: { ...auditStore(database), verify: () => verifyAuditChain(database, clock, sealer) },
        reads: { events: eventLists(database), summary },
      }),
      // `appendWhileLeader` binds the consumers, in the leading process only.
      consumers: [],
      bindsOwnConsumers: true,
      jobs: [tail.job, counting.job, retentionJob(runtime), pruneKeyChanges(runtime), ...webhooks.jobs],
    };
  },
});

function streamDeps({ config, metrics, clock }: Runtime, log: LogReader): StreamDeps {
  const connections = metrics.gauge(declared.streamConnections);
  const delivered = metrics.counter(declared.streamDelivered);
  const disconnected = metrics.counter(declared.streamDisconnected);
  return {
    log,
    clock,
    randomBelow: (below) => randomInt(Math.max(1, below)),
    historyDays: config.EVENTS_HISTORY_DAYS,
    limits: {
      connectionsMax: config.EVENTS_CONNECTIONS_MAX,
      connectionsPerKeyMax: config.EVENTS_CONNECTIONS_PER_KEY_MAX,
      unsentBytesMax: config.EVENTS_UNSENT_BYTES_MAX,
      pingEveryMs: config.EVENTS_PING_EVERY_MS,
      drainMs: config.EVENTS_DRAIN_MS,
    },
    counts: {
      connections: (count) => connections.set(count),
      delivered: (count) => delivered.inc(count),
      disconnected: (reason) => disconnected.inc({ reason }),
    },
  };
}

const [secretBytes, randomSteps] = [32, 1_000_000];

function webhooksOf(runtime: Runtime): WebhookJobs & { readonly deps: WebhookDeps } {
  const { config, clock, log, newId, lifecycle, metrics, wake, wakeReplicas } = runtime;
  // Every replica learns from the wake-up that an endpoint exists.
  const store = webhookStore({ ...runtime, wakeWorkers: () => wakeReplicas(deliverWebhooks) });
  const allowedNetworks = networksIn(config.WEBHOOK_ALLOWED_NETWORKS) ?? [];
  const sender = createWebhookSender({ clock, version: platformVersion(), allowedNetworks });
  const system = { type: 'system', id: 'notifications', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const deps: WorkerDeps = {
    ...store,
    sender,
    clock,
    log,
    newId,
    newContext: () => ({ caller: system, requestId: randomUUID(), at: clock.now(), log }),
    retryGaps: gapsIn(config.WEBHOOK_RETRY_SCHEDULE_SECONDS) ?? [],
    random: () => randomInt(randomSteps) / randomSteps,
    counts: webhookCounts(metrics),
  };
  const worker = createDeliveryWorker({
    ...deps,
    leaseMs: leaseSeconds * 1_000,
    drainMs: config.WEBHOOK_DRAIN_MS,
    background: (work) => lifecycle.background('webhook deliveries', work),
    dueIn: (ms) => wake(deliverWebhooks, ms),
  });
  lifecycle.onStop('webhook sender', sender.close);
  lifecycle.onStop('webhook deliveries', worker.stop);
  const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`;
  const limits = { endpointsMax: config.WEBHOOK_ENDPOINTS_MAX, historyDays: config.EVENTS_HISTORY_DAYS };
  return { ...webhookJobs(runtime, { store, deps, worker }), deps: { ...store, ...limits, sender, newId, newSecret } };
}

type Serving = Pick<TailOptions, 'from' | 'isAppending'> & { readonly reader: LogReader; readonly subscribers: Subscribers };

function serveStreams(runtime: Runtime, { reader, subscribers, from, isAppending }: Serving): Tail {
  const { config, broker, lifecycle, clock, metrics, wake } = runtime;
  const lag = createStreamLag(clock, from.position);
  const lagGauge = metrics.gauge(declared.streamLag);
  metrics.onRead(() => lagGauge.set(lag.seconds()));
  const disconnectKeyTwice = disconnectTwice(subscribers);
  const tail = followLog({
    reader,
    from,
    pollEveryMs: config.EVENTS_POLL_EVERY_MS,
    isAppending,
    wake,
    onEvents: (events) => {
      subscribers.publish(events);
      lag.onDelivered(events);
    },
    onKeyChange: ({ apiKeyId }) => disconnectKeyTwice(apiKeyId),
  });
  const stopListening = broker.onNotification([credentialsTopic, logAppendedTopic], ({ topic, key }) => {
    if (topic === credentialsTopic) disconnectKeyTwice(key);
    else {
      lag.onAppended(BigInt(key));
      tail.wake(BigInt(key));
    }
  });
  lifecycle.onStop('event notifications', () => {
    stopListening();
    return Promise.resolve();
  });
  // Draining is not an `onStop` step: the HTTP server stops first, and its stop waits for the streams to end.
  lifecycle.signal.addEventListener('abort', () => lifecycle.background('drain event streams', subscribers.drain()));
  return tail;
}

type Appending = Pick<WebhookJobs, 'handleClockAdvanced'> & {
  readonly sealer: Sealer;
  readonly onAppended: AppenderOptions['onAppended'];
  readonly onLeading: (isLeading: boolean) => void;
};

/** Limits how many messages can be held back for their predecessors at the same time. */
const prefetch = 1_000;

/** One process at a time consumes and appends, so that events stay in the order in which they arrived. */
function appendWhileLeader(runtime: Runtime, { sealer, onAppended, onLeading, handleClockAdvanced }: Appending): void {
  const { config, database, broker, clock, log, lifecycle } = runtime;
  const waiting = runtime.metrics.gauge(declared.logWaiting);
  const appended = runtime.metrics.counter(declared.logAppended);
  let appender: Appender | undefined;
  const consumers = consumersOf({
    append: (arrival) => (appender === undefined ? Promise.reject(new Superseded()) : appender.append(arrival)),
    clock,
    heldBackMs: config.EVENTS_HELD_BACK_MS,
    handleClockAdvanced,
  });
  assertAllMessagesHandled('notifications', consumers);

  const lead = async ({ token, signal }: Leadership): Promise<void> => {
    const ended = new AbortController();
    appender = createAppender({
      pool: database.pool,
      clock,
      sealer,
      token,
      log,
      batchDelayMs: config.EVENTS_BATCH_DELAY_MS,
      prepare: ensurePartitions(database, clock),
      onWaiting: (count) => waiting.set(count),
      onSuperseded: () => ended.abort(),
      onAppended: (batch) => {
        appended.inc(batch.events.length);
        onAppended(batch);
      },
    });
    const queueConsumer = createQueueConsumer({
      service: 'notifications',
      consumers,
      broker,
      database,
      clock,
      log,
      metrics: runtime.metrics,
      signal,
      prefetch,
    });
    try {
      onLeading(true);
      await queueConsumer.start();
      await aborted(AbortSignal.any([signal, ended.signal]));
    } finally {
      await Promise.all([queueConsumer.stop(), appender.stop()]);
      appender = undefined;
      onLeading(false);
    }
  };

  const leading = contendForLeadership({ pool: database.pool, log, signal: lifecycle.signal, lead });
  lifecycle.onStop('event appender', () => leading);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

const hourMs = 3_600_000;

function retentionJob({ config, database, clock, log }: Runtime): Job {
  const retention = { days: config.EVENTS_HISTORY_DAYS, countMin: config.EVENTS_HISTORY_COUNT_MIN };
  return {
    name: 'drop-old-partitions',
    everyMs: hourMs,
    run: async () => {
      await createPartitions(database, clock);
      const dropped = await dropOldPartitions(database, clock, retention);
      if (dropped.length > 0) log.info({ dropped }, 'old event partitions dropped');
    },
  };
}

/** Every process reads key changes within seconds; they are deleted after a day. */
function pruneKeyChanges({ database }: Runtime): Job {
  return {
    name: 'prune-key-changes',
    everyMs: hourMs,
    run: async (signal) => {
      await deleteInBatches(database, { table: 'key_changes', where: `changed_at < now() - interval '1 day'` }, signal);
    },
  };
}
