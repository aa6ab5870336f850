import { inboxOf, type Outbox } from '@holdfast/shared/outbox';
import type { Tx } from '@holdfast/shared/postgres';
import type { Settlement } from '@holdfast/shared/settlement';
import type { Order } from '../domain/order.js';
import { gathered, type BegunRun, type Draft } from './draft.js';
import type { KnownOrders } from './known-orders.js';
import { insertOrders, saveOrders } from './order-work.js';
import { proveUsers } from './sql/prove-users.js';
import { insertComment } from './sql/write-order.js';

export type WritingDeps = {
  readonly consumer: string;
  readonly outbox: Pick<Outbox, 'add'>;
  readonly settlement: Settlement;
  readonly known: KnownOrders;
};

/** Nothing here is waited for: it all goes out with the commit, and once that has happened the orders are known. */
export function writeDrafts({ consumer, outbox, settlement, known }: WritingDeps, tx: Tx, drafts: readonly Draft[]): void {
  const { heard, relied, inserted, saved, comments, begun, answered, closed, told } = gathered(drafts);
  const keep = (orders: readonly Order[], writtenBy: string): void =>
    tx.afterCommit(() => orders.forEach((order) => known.keep({ order, writtenBy })));
  if (relied.length > 0) tx.defer(proveUsers, [relied.map(({ id }) => id), relied.map(({ version }) => version)]);
  if (heard.length > 0) inboxOf(consumer).noteHeardWithCommit(tx, heard);
  insertOrders(tx, inserted, keep);
  saveOrders(tx, saved, keep);
  for (const { id, disputeId, text, author, createdAt } of comments)
    tx.defer(insertComment, [id, disputeId, text, author, createdAt]);
  settlement.beginAll(tx, begun.map(toRun));
  for (const { runId, outcome } of answered) settlement.answerWithCommit(tx, runId, outcome);
  settlement.closeAllWithCommit(tx, closed);
  for (const each of told) outbox.add(tx, each.declaration, each);
}

function toRun({ id, saga, orderId, marketplaceId, requestId }: BegunRun) {
  return { id, saga, aggregateId: orderId, marketplaceId, correlationId: requestId };
}
