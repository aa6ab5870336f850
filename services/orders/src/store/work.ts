import type { Outbox } from '@holdfast/shared/outbox';
import { once } from '@holdfast/shared/outbox';
import type { Database, Tx } from '@holdfast/shared/postgres';
import type { Settlement } from '@holdfast/shared/settlement';
import type { Deps, Work } from '../use-cases/ports.js';
import { ordersIn } from './order-work.js';
import { findParties, toParties, type PartyRow } from './sql/find-parties.js';
import { insertComment } from './sql/write-order.js';

export type WorkDeps = {
  readonly database: Database;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly settlement: Settlement;
};

const consumer = 'orders';

/** How use cases get a transaction: for a request, or for a message that counts once. */
export function transactionsOf(deps: WorkDeps): Pick<Deps, 'inTransaction' | 'hear'> {
  const { database } = deps;
  return {
    inTransaction: (work) => database.inTransaction((tx) => work(workIn(tx, deps))),
    hear: ({ id }, work) =>
      database.inTransaction(async (tx) => {
        if (await once(tx, consumer, id)) await work(workIn(tx, deps));
      }),
  };
}

function workIn(tx: Tx, { outbox, settlement }: WorkDeps): Work {
  return {
    orders: ordersIn(tx),
    parties: async (order) => toParties(order, await tx.query<PartyRow>(findParties, [[order.buyerId, order.sellerId]])),
    addComment: async ({ id, disputeId, text, author, createdAt }) => {
      await tx.query(insertComment, [id, disputeId, text, author, createdAt]);
    },
    runs: {
      begin: ({ saga, orderId, marketplaceId, requestId }) =>
        settlement.begin(tx, { saga, aggregateId: orderId, marketplaceId, correlationId: requestId }),
      answer: async (runId, outcome) => {
        await settlement.answer(tx, runId, outcome);
      },
      close: (runId, outcome) => {
        settlement.closeWithCommit(tx, runId, outcome);
      },
    },
    tell: ({ declaration, ...message }) => {
      outbox.add(tx, declaration, message);
    },
  };
}
