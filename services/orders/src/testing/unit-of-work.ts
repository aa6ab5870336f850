import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { createOutbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { createSagaRuns, type SagaRuns, type SagaRunsOptions } from '@holdfast/sagas/runs';
import { silentLog } from '@holdfast/testing/log';
import { createOrderUnitOfWork, type OrderUnitOfWorkRunner } from '../store/order-unit-of-work.js';
import type { OrderOutcome } from '../use-cases/ports.js';

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

/** No run is due, and none is overdue. */
const endless = { retries: { firstAfterMs: 86_400_000, afterMsMax: 86_400_000 }, deadlines: { sagas: [], afterMs: 86_400_000 } };

export type StartedUnitOfWork = OrderUnitOfWorkRunner & { readonly runs: SagaRuns<OrderOutcome>; readonly stop: () => void };

/** The unit of work of one process. Nothing is published, and there are no replies. */
export function startUnitOfWork(
  database: Database,
  limits: Pick<SagaRunsOptions, 'retries' | 'deadlines'> = endless,
): StartedUnitOfWork {
  const runs = createSagaRuns<OrderOutcome>({ database, broker: silentBroker, log: silentLog, ...limits });
  const outbox = createOutbox({ clock, newId, relay: idleRelay });
  return {
    ...createOrderUnitOfWork({ database, outbox, sagaRuns: runs, newId, onTimerSet: () => undefined }),
    runs,
    stop: runs.stop,
  };
}
