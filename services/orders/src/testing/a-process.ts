import { systemClock, type Context } from '@holdfast/shared/context';
import { defaultMarketplaceId, idFactory } from '@holdfast/shared/ids';
import { createOutbox } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import { createSettlement } from '@holdfast/shared/settlement';
import { silentLog } from '@holdfast/shared/testing/log';
import { createKnownOrders, type KnownOrders } from '../store/known-orders.js';
import { orderStore } from '../store/order-store.js';
import { rememberUsers } from '../store/remembered-users.js';
import { runStore } from '../store/run-store.js';
import { doorsOf } from '../store/work.js';
import type { Deps } from '../use-cases/ports.js';

/** A process of the service, as far as it decides on orders: nothing is published, and nobody answers. */
export type Process = { readonly deps: Deps; readonly known: KnownOrders; readonly stop: () => void };

export const clock = systemClock();
export const newId = idFactory(clock.epochMs);

const deaf = { onBroadcast: () => () => undefined, replyQueue: () => undefined, notify: () => undefined };
const relay = { handOver: () => undefined, limits: { sweepAfterMs: 5_000 } } as unknown as Parameters<
  typeof createOutbox
>[0]['relay'];

export function startProcess(database: Database): Process {
  const known = createKnownOrders();
  const settlement = createSettlement({ database, broker: deaf, newId, log: silentLog, pollEveryMs: 20 });
  const outbox = createOutbox({ clock, newId, relay });
  const { drain: _, ...doors } = doorsOf({ database, outbox, settlement, newId, known, users: rememberUsers() });
  const deps = {
    ...doors,
    orders: orderStore(database),
    runs: runStore(settlement, 5_000),
    amountLimits: { minUnits: 1n, maxUnits: 10n ** 18n },
    newId,
  } as unknown as Deps;
  return { deps, known, stop: settlement.stop };
}

export function ctx(): Context {
  const caller = { type: 'api_key', id: 'key_1', marketplaceId: defaultMarketplaceId, scopes: [] };
  return { requestId: 'req-1', caller, at: clock.now(), log: silentLog } as unknown as Context;
}

/** How often a transaction waits for an answer before it decides. */
export function countQuestions(database: Database): { readonly stop: () => number } {
  const inTransaction = database.inTransaction.bind(database);
  const asked = jest.fn();
  const asking = (tx: Tx): Tx =>
    Object.create(tx, {
      query: {
        value: (...given: Parameters<Tx['query']>) => {
          asked();
          return tx.query(...given);
        },
      },
    }) as Tx;
  const spy = jest.spyOn(database, 'inTransaction').mockImplementation((work) => inTransaction((tx) => work(asking(tx))));
  return {
    stop: () => {
      spy.mockRestore();
      return asked.mock.calls.length;
    },
  };
}
