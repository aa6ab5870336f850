import type { Clock, Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import { sealing } from '@holdfast/kernel/secrets';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { createPerformer, pruneIdempotentRequests } from '@holdfast/service-kit/idempotent-requests';
import type { WebhookDeps } from '../../use-cases/webhooks/ports.js';
import type { WorkerDeps } from '../../use-cases/webhooks/worker-ports.js';
import { deliveryQueue } from './delivery-queue.js';
import { deliveryStore } from './delivery-store.js';
import { endpointStore } from './endpoint-store.js';
import { lookForWebhooks, type WebhookLook } from './look.js';
import { measureWebhooks, type MeasuredWebhooks } from './measure-webhooks.js';
import { pruneWebhooks } from './prune-webhooks.js';
import { sealedEndpoints, webhookSecretPurpose } from './sealed-endpoints.js';
import { testClockHandler, type ClockHandler } from './test-clocks.js';
import { createWebhookUnitOfWork } from './unit-of-work.js';

export type WebhookStore = Pick<WebhookDeps, 'perform' | 'endpoints' | 'deliveries'> &
  Pick<WorkerDeps, 'inTransaction' | 'queue'> & {
    /** Finds what is due, but for the endpoints that this process has leased. */
    readonly look: (heldIds: readonly WebhookEndpointId[]) => Promise<WebhookLook>;
    readonly measure: () => Promise<MeasuredWebhooks>;
    /** Handles an advance of a test clock: retries are moved, so that deliveries to these endpoints may be due. */
    readonly clockHandler: (onMoved: (endpointIds: readonly WebhookEndpointId[]) => void) => ClockHandler;
    readonly prune: (historyDays: number, signal: AbortSignal) => Promise<void>;
  };

export type WebhookStoreOptions = {
  readonly database: Database;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly deriveKey: (purpose: string) => Buffer;
  /** Called after a commit that gave the workers something to do. */
  readonly wakeWorkers: () => void;
};

export function webhookStore({ database, outbox, clock, deriveKey, wakeWorkers }: WebhookStoreOptions): WebhookStore {
  const sealed = sealedEndpoints(sealing(deriveKey(webhookSecretPurpose)));
  const unitDeps = { outbox, sealed, wakeWorkers };
  const perform = createPerformer({ database, key: deriveKey('notifications operation results') });
  const now = (): Instant => clock.now();
  return {
    perform: (operation, work) => perform(operation, (tx) => work(createWebhookUnitOfWork(tx, unitDeps, operation.ctx))),
    inTransaction: (ctx, work) => database.inTransaction((tx) => work(createWebhookUnitOfWork(tx, unitDeps, ctx))),
    endpoints: endpointStore(database, sealed),
    deliveries: deliveryStore(database),
    queue: deliveryQueue({ database, sealed, clock }),
    look: (heldIds) => lookForWebhooks(database.lists, now(), heldIds),
    measure: () => measureWebhooks(database.lists, now()),
    clockHandler: (onMoved) => testClockHandler({ database, onMoved }),
    prune: async (historyDays, signal) => {
      await pruneWebhooks(database, { clock, historyDays }, signal);
      await pruneIdempotentRequests(database, now(), signal);
    },
  };
}
