import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import type { Context } from '@holdfast/kernel/context';
import { sealing } from '@holdfast/kernel/secrets';
import { platformVersion } from '@holdfast/observability';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { createPerformer, pruneIdempotentRequests } from '@holdfast/service-kit/idempotent-requests';
import { dueWorkEveryMs, measureEveryMs, type Job } from '@holdfast/work';
import { gapsIn, type Settings } from './config.js';
import * as declared from './metrics.js';
import { networksIn } from './providers/address-policy.js';
import { createWebhookSender } from './providers/webhook-sender.js';
import { deliveryQueue, leaseSeconds } from './store/webhooks/delivery-queue.js';
import { deliveryStore } from './store/webhooks/delivery-store.js';
import { endpointStore } from './store/webhooks/endpoint-store.js';
import { lookForWebhooks } from './store/webhooks/look.js';
import { measureWebhooks } from './store/webhooks/measure-webhooks.js';
import { pruneWebhooks } from './store/webhooks/prune-webhooks.js';
import { sealedEndpoints, webhookSecretPurpose, type SealedEndpoints } from './store/webhooks/sealed-endpoints.js';
import { createWebhookUnitOfWork } from './store/webhooks/unit-of-work.js';
import { createDeliveryWorker, type DeliveryWorker } from './use-cases/webhooks/delivery-worker.js';
import { fanOutEvents } from './use-cases/webhooks/fan-out-events.js';
import type { WebhookDeps, WebhookSender, WorkerDeps } from './use-cases/webhooks/ports.js';

type Runtime = ServiceRuntime<Settings>;

/** Outbound webhooks: the routes' dependencies, and the jobs that deliver. */
export type Webhooks = {
  readonly deps: WebhookDeps;
  readonly jobs: readonly Job[];
  /** Events were appended to the log by this process. */
  readonly onAppended: () => void;
};

const jobName = 'deliver-webhooks';
/** Topic of the notification that a leased endpoint has new deliveries; its key is the endpoint. */
const queuedTopic = 'webhook-deliveries';
const secretBytes = 32;

export function createWebhooks(runtime: Runtime): Webhooks {
  const { database, deriveKey, clock, lifecycle, wake } = runtime;
  const sealed = sealedEndpoints(sealing(deriveKey(webhookSecretPurpose)));
  const sender = senderOf(runtime);
  const workerDeps = workerDepsOf(runtime, sealed, sender);
  const worker = createDeliveryWorker({
    ...workerDeps,
    leaseMs: leaseSeconds * 1_000,
    drainMs: runtime.config.WEBHOOK_DRAIN_MS,
    dueIn: (ms) => wake(jobName, ms),
  });
  lifecycle.onStop('webhook sender', sender.close);
  lifecycle.onStop('webhook deliveries', worker.stop);
  listenToOthers(runtime, worker);
  /** Whether any endpoint is enabled, as of the last look. A new one wakes up the job, which looks. */
  let isUsed = false;
  const nextDueInMs = async (): Promise<number | undefined> => {
    const look = await lookForWebhooks(database.lists, clock.now(), worker.heldIds());
    ({ isUsed } = look);
    return look.dueInMs;
  };
  const run = (signal: AbortSignal): Promise<void> => deliver(runtime, workerDeps, worker, signal);
  return {
    deps: depsOf(runtime, sealed, sender),
    jobs: [{ name: jobName, everyMs: dueWorkEveryMs, nextDueInMs, run }, ...otherJobs(runtime)],
    onAppended: () => {
      if (isUsed) wake(jobName);
    },
  };
}

function senderOf({ clock, config }: Runtime): WebhookSender & { readonly close: () => Promise<void> } {
  return createWebhookSender({
    clock,
    version: platformVersion(),
    allowedNetworks: networksIn(config.WEBHOOK_ALLOWED_NETWORKS) ?? [],
  });
}

type Transactions = Pick<WorkerDeps, 'inTransaction'> & Pick<WebhookDeps, 'perform'>;

function transactionsOf({ database, outbox, deriveKey, wakeReplicas }: Runtime, sealed: SealedEndpoints): Transactions {
  // Other replicas learn from it that an endpoint exists.
  const unitDeps = { outbox, sealed, wakeWorkers: () => wakeReplicas(jobName) };
  const perform = createPerformer({ database, key: deriveKey('notifications operation results') });
  return {
    perform: (operation, work) => perform(operation, (tx) => work(createWebhookUnitOfWork(tx, unitDeps, operation.ctx))),
    inTransaction: (ctx, work) => database.inTransaction((tx) => work(createWebhookUnitOfWork(tx, unitDeps, ctx))),
  };
}

function depsOf(runtime: Runtime, sealed: SealedEndpoints, sender: WebhookSender): WebhookDeps {
  const { database, newId, config } = runtime;
  return {
    perform: transactionsOf(runtime, sealed).perform,
    endpoints: endpointStore(database, sealed),
    deliveries: deliveryStore(database),
    sender,
    newSecret: () => `whsec_${randomBytes(secretBytes).toString('base64')}`,
    newId,
    endpointsMax: config.WEBHOOK_ENDPOINTS_MAX,
    historyDays: config.EVENTS_HISTORY_DAYS,
  };
}

const randomSteps = 1_000_000;

function workerDepsOf(runtime: Runtime, sealed: SealedEndpoints, sender: WebhookSender): WorkerDeps {
  const { database, newId, clock, log, config, metrics } = runtime;
  const attempts = metrics.histogram(declared.webhookAttempts);
  const ended = metrics.counter(declared.webhookDeliveries);
  return {
    queue: deliveryQueue({ database, sealed, clock }),
    sender,
    inTransaction: transactionsOf(runtime, sealed).inTransaction,
    newId,
    retryGaps: gapsIn(config.WEBHOOK_RETRY_SCHEDULE_SECONDS) ?? [],
    clock,
    log,
    random: () => randomInt(randomSteps) / randomSteps,
    counts: {
      attempt: (outcome, durationMs) => attempts.observe({ outcome }, durationMs / 1_000),
      ended: (status, count) => ended.inc({ status }, count),
    },
  };
}

/** Fans out the new events of the log, then delivers what is due. */
async function deliver(runtime: Runtime, deps: WorkerDeps, worker: DeliveryWorker, signal: AbortSignal): Promise<void> {
  for (let isMore = true; isMore && !signal.aborted;) {
    const fannedOut = await fanOutEvents(deps, contextOf(runtime));
    const own = new Set(worker.lookAgain(fannedOut.endpointIds));
    for (const key of fannedOut.leasedIds.filter((id) => !own.has(id))) runtime.broker.broadcast({ topic: queuedTopic, key });
    ({ isMore } = fannedOut);
  }
  await worker.work();
}

/** Another process has queued deliveries for an endpoint that this one has leased. A lost notification delays them by a slow attempt. */
function listenToOthers({ broker, lifecycle }: Runtime, worker: DeliveryWorker): void {
  const stopListening = broker.onNotification([queuedTopic], ({ key }) => {
    if (isId(key, 'whk') && worker.lookAgain([key]).length > 0) lifecycle.background('deliver webhooks', worker.work());
  });
  lifecycle.signal.addEventListener('abort', stopListening);
}

function contextOf({ clock, log }: Runtime): Context {
  const caller = { type: 'system', id: 'notifications', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  return { caller, requestId: randomUUID(), at: clock.now(), log };
}

const pruneEveryMs = 3_600_000;

function otherJobs({ database, clock, config, metrics }: Runtime): readonly Job[] {
  const retention = { clock, historyDays: config.EVENTS_HISTORY_DAYS };
  const [failing, oldest] = [metrics.gauge(declared.webhookEndpointsFailing), metrics.gauge(declared.webhookOldestDue)];
  return [
    { name: 'prune-webhooks', everyMs: pruneEveryMs, run: (signal) => pruneWebhooks(database, retention, signal) },
    {
      name: 'prune-idempotent-requests',
      everyMs: pruneEveryMs,
      run: (signal) => pruneIdempotentRequests(database, clock.now(), signal),
    },
    {
      name: 'measure-webhooks',
      everyMs: measureEveryMs,
      isMeasurement: true,
      run: async () => {
        const measured = await measureWebhooks(database.lists, clock.now());
        failing.set(measured.failing);
        oldest.set(measured.oldestDueSeconds);
      },
    },
  ];
}
