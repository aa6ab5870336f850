import { isId } from '@holdfast/kernel/ids';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { dueWorkEveryMs, measureEveryMs, type Job } from '@holdfast/work';
import type { Settings } from '../config.js';
import * as declared from '../metrics.js';
import type { WebhookStore } from '../store/webhooks/webhook-store.js';
import type { DeliveryWorker } from '../use-cases/webhooks/delivery-worker.js';
import { fanOutEvents } from '../use-cases/webhooks/fan-out-events.js';
import type { WebhookCounts, WorkerDeps } from '../use-cases/webhooks/worker-ports.js';

type Runtime = ServiceRuntime<Settings>;

/** The job that fans out events and delivers them. */
export const deliverWebhooks = 'deliver-webhooks';
/** Topic of the notification that a leased endpoint has new deliveries; its key is the endpoint. */
const queuedTopic = 'webhook-deliveries';

export type WebhookJobs = {
  readonly jobs: readonly Job[];
  /** This process has appended events to the log. */
  readonly onAppended: () => void;
  /** The test clock of a marketplace was advanced. */
  readonly handleClockAdvanced: ReturnType<WebhookStore['clockHandler']>;
};

type JobDeps = { readonly store: WebhookStore; readonly deps: WorkerDeps; readonly worker: DeliveryWorker };

/** Time → use case. */
export function webhookJobs(runtime: Runtime, { store, deps, worker }: JobDeps): WebhookJobs {
  /** Whether any endpoint is enabled, as of the last look. A new one wakes up the job, and it looks after each run. */
  let isUsed = false;
  const nextDueInMs = async (): Promise<number | undefined> => {
    const look = await store.look(worker.heldIds());
    ({ isUsed } = look);
    return look.dueInMs;
  };
  const run = (signal: AbortSignal): Promise<void> => deliver(runtime, { deps, worker }, signal);
  listenToOthers(runtime, worker);
  return {
    jobs: [
      { name: deliverWebhooks, everyMs: dueWorkEveryMs, nextDueInMs, run },
      pruneJob(runtime, store),
      measurement(runtime, store),
    ],
    onAppended: () => {
      if (isUsed) runtime.wake(deliverWebhooks);
    },
    handleClockAdvanced: store.clockHandler((endpointIds) => {
      for (const key of endpointIds) runtime.broker.broadcast({ topic: queuedTopic, key });
      runtime.wakeReplicas(deliverWebhooks);
    }),
  };
}

export function webhookCounts(metrics: Runtime['metrics']): WebhookCounts {
  const attempts = metrics.histogram(declared.webhookAttempts);
  const ended = metrics.counter(declared.webhookDeliveries);
  return {
    attempt: (outcome, durationMs) => attempts.observe({ outcome }, durationMs / 1_000),
    ended: (status, count) => ended.inc({ status }, count),
  };
}

/** The log is read on while deliveries are sent. The next look for due work needs the endpoints that are claimed last. */
async function deliver({ broker }: Runtime, { deps, worker }: Omit<JobDeps, 'store'>, signal: AbortSignal): Promise<void> {
  let claimed = Promise.resolve();
  for (let isMore = true; isMore && !signal.aborted;) {
    const fannedOut = await fanOutEvents(deps);
    const own = new Set(worker.lookAgain(fannedOut.endpointIds));
    for (const key of fannedOut.leasedIds.filter((id) => !own.has(id))) broker.broadcast({ topic: queuedTopic, key });
    ({ isMore } = fannedOut);
    claimed = worker.work();
  }
  await claimed;
}

/** Another process has queued deliveries for an endpoint that this one has leased. Without the notification they wait for its slowest attempt. */
function listenToOthers({ broker, lifecycle }: Runtime, worker: DeliveryWorker): void {
  const stopListening = broker.onNotification([queuedTopic], ({ key }) => {
    if (isId(key, 'whk') && worker.lookAgain([key]).length > 0) lifecycle.background('webhook deliveries', worker.work());
  });
  lifecycle.signal.addEventListener('abort', stopListening);
}

const pruneEveryMs = 3_600_000;

function pruneJob({ config }: Runtime, { prune }: WebhookStore): Job {
  return { name: 'prune-webhooks', everyMs: pruneEveryMs, run: (signal) => prune(config.EVENTS_HISTORY_DAYS, signal) };
}

function measurement({ metrics }: Runtime, { measure }: WebhookStore): Job {
  const [failing, oldest] = [metrics.gauge(declared.webhookEndpointsFailing), metrics.gauge(declared.webhookOldestDue)];
  return {
    name: 'measure-webhooks',
    everyMs: measureEveryMs,
    isMeasurement: true,
    run: async () => {
      const measured = await measure();
      failing.set(measured.failing);
      oldest.set(measured.oldestDueSeconds);
    },
  };
}
