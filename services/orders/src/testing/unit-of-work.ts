import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createOutbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { createSagaRuns } from '@holdfast/sagas/runs';
import { silentLog } from '@holdfast/testing/log';
import { createOrderUnitOfWork, type OrderUnitOfWorkRunner } from '../store/order-unit-of-work.js';

const clock = systemClock();
export const newId = idFactory(clock.epochMs);

const silentBroker = {
  broadcast: () => undefined,
  onNotification: () => () => undefined,
  replyQueue: () => 'replies',
  notify: () => undefined,
};
const idleRelay = { handOver: () => undefined, limits: { sweepAfterMs: 5_000, resendAfterMs: 30_000 } } as unknown as Parameters<
  typeof createOutbox
>[0]['relay'];

const deadlines = { sagas: [], afterMs: 86_400_000 };
const retries = { firstAfterMs: 86_400_000, afterMsMax: 86_400_000 };

/** The unit of work of one process. Nothing is published, and there are no replies. */
export function startUnitOfWork(database: Database): OrderUnitOfWorkRunner & { readonly stop: () => void } {
  const sagaRuns = createSagaRuns({ database, broker: silentBroker, log: silentLog, retries, deadlines });
  const outbox = createOutbox({ clock, newId, relay: idleRelay });
  return { ...createOrderUnitOfWork({ database, outbox, sagaRuns, newId }), stop: sagaRuns.stop };
}
