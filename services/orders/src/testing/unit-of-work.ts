import { systemClock } from '@holdfast/shared/context';
import { idFactory } from '@holdfast/shared/ids';
import { createOutbox } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { createSettlement } from '@holdfast/shared/settlement';
import { silentLog } from '@holdfast/shared/testing/log';
import { createOrderUnitOfWork, type OrderUnitOfWork } from '../store/order-unit-of-work.js';

const clock = systemClock();
export const newId = idFactory(clock.epochMs);

const silentBroker = {
  broadcast: () => undefined,
  onBroadcast: () => () => undefined,
  replyQueue: () => 'replies',
  notify: () => undefined,
};
const idleRelay = { handOver: () => undefined, limits: { sweepAfterMs: 5_000 } } as unknown as Parameters<
  typeof createOutbox
>[0]['relay'];

/** What a process of the service decides with: nothing is published, and nobody replies. */
export function startUnitOfWork(database: Database): OrderUnitOfWork & { readonly stop: () => void } {
  const settlement = createSettlement({ database, broker: silentBroker, newId, log: silentLog });
  const outbox = createOutbox({ clock, newId, relay: idleRelay });
  return { ...createOrderUnitOfWork({ database, outbox, settlement }), stop: settlement.stop };
}
