import { knownUsersIn } from '@holdfast/shared/known-users';
import type { NewId } from '@holdfast/shared/ids';
import { once, type Outbox } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import type { Settlement } from '@holdfast/shared/settlement';
import type { Deps, Work } from '../use-cases/ports.js';
import { findOrderOfDispute, findTaken, lock } from './holding.js';
import { ordersIn } from './order-work.js';
import { insertComment } from './sql/write-order.js';
import { workAlone, workTogether, type Write } from './together.js';

export type WorkDeps = {
  readonly database: Database;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly settlement: Settlement;
  readonly newId: NewId;
};

type Doors = Pick<Deps, 'onOrder' | 'onDisputed' | 'onNewOrder' | 'hear'>;

const consumer = 'orders';

/** How use cases decide on an order: for a request, or for a message that counts once. */
export function doorsOf(deps: WorkDeps): Doors & { readonly drain: () => Promise<void> } {
  const { database } = deps;
  const { submit, drain } = workTogether(database);
  return {
    drain,
    onOrder: ({ marketplaceId, orderId }, decide) =>
      submit({
        orderId,
        read: async (tx) => {
          const held = await lock(tx, marketplaceId, orderId);
          return (write) => decide(workIn(write, deps), held);
        },
      }),
    hear: ({ id, marketplaceId }, orderId, decide) =>
      submit({
        orderId,
        leavesTrace: true,
        read: async (tx) => {
          const [isNew, held] = await Promise.all([once(tx, consumer, id), lock(tx, marketplaceId, orderId)]);
          return (write) => {
            if (isNew) decide(workIn(write, deps), held);
          };
        },
      }),
    onNewOrder: ({ id, marketplaceId, userIds, clientOrderRef }, decide) =>
      submit({
        orderId: id,
        read: async (tx) => {
          const [users, takenBy] = await Promise.all([
            knownUsersIn(tx, marketplaceId, userIds),
            findTaken(tx, marketplaceId, clientOrderRef),
          ]);
          return (write) => decide(workIn(write, deps), { users, takenBy });
        },
      }),
    // Which order it is about is not known beforehand, so it cannot share a transaction with jobs on orders.
    onDisputed: ({ marketplaceId, disputeId }, decide) =>
      workAlone(database, {
        orderId: disputeId,
        read: async (tx) => {
          const orderId = await findOrderOfDispute(tx, marketplaceId, disputeId);
          const held = orderId === undefined ? undefined : await lock(tx, marketplaceId, orderId);
          return (write) => decide(workIn(write, deps), held);
        },
      }),
  };
}

function workIn(write: Write, { outbox, settlement, newId }: WorkDeps): Work {
  return {
    orders: ordersIn(write),
    addComment: ({ id, disputeId, text, author, createdAt }) => {
      write((tx) => tx.defer(insertComment, [id, disputeId, text, author, createdAt]));
    },
    runs: {
      begin: ({ saga, orderId, marketplaceId, requestId }) => {
        const id = newId('run');
        const run = { saga, aggregateId: orderId, marketplaceId, correlationId: requestId };
        write((tx) => settlement.beginAs(tx, id, run));
        return id;
      },
      answer: (runId, outcome) => write((tx) => settlement.answerWithCommit(tx, runId, outcome)),
      close: (runId, outcome) => write((tx) => settlement.closeWithCommit(tx, runId, outcome)),
    },
    tell: (told) => {
      write((tx) => {
        outbox.add(tx, told.declaration, told);
      });
    },
  };
}
