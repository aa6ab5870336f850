import { createCommitBatcher, type CommitBatcherOptions } from '@holdfast/messaging/batching';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, NewId } from '@holdfast/kernel/ids';
import { inPresentSpan } from '@holdfast/observability';
import type { Database } from '@holdfast/postgres';
import { focusOn } from '../domain/focus.js';
import type { Order } from '../domain/order.js';
import type { CommitCheck, NewOrderFacts, Decide, Deps, LockedOrder, NewOrderKey, UnitOfWork } from '../use-cases/ports.js';
import { readFacts, type BatchFacts, type FactsQuery } from './batch-facts.js';
import { pendingWrites, sendWrites, unitOfWorkOn, type PendingWrites, type WriteDeps } from './pending-writes.js';
import { disputes } from './schema.js';

export type BatchDeps = WriteDeps & { readonly database: Pick<Database, 'inTransaction' | 'pool'>; readonly newId: NewId };

export type OrderUnitOfWorkRunner = Pick<Deps, 'onOrder' | 'onDispute' | 'onNewOrder' | 'onMessage'> & {
  /** Resolves when all submitted decisions are committed. */
  readonly drain: () => Promise<void>;
};

type ItemKey = { readonly orderId: string; readonly marketplaceId: MarketplaceId };

/** One decision on one order. */
type Item = ItemKey &
  (
    | (CommitCheck<unknown> & { readonly kind: 'request'; readonly decide: Decide<LockedOrder, unknown> })
    | { readonly kind: 'message'; readonly decide: Decide<LockedOrder | undefined, void>; readonly messageId: string }
    | { readonly kind: 'new-order'; readonly decide: Decide<NewOrderFacts, unknown>; readonly key: NewOrderKey<unknown> }
  );

const limits = { sizeMax: 32, batchDelayMs: 10, inFlightMax: 4, waitingMax: 10_000 } as const;

/** Runs the decisions of use cases. Concurrent decisions share a transaction: one round of locks, one commit. See ADR 0019 and 0122. */
export function createOrderUnitOfWork(deps: BatchDeps): OrderUnitOfWorkRunner {
  const batcher = createCommitBatcher<Item, unknown>({
    ...limits,
    commit: (items, { mayBeCommitted }) => commitBatch(deps, items, mayBeCommitted),
    keyOf: lockKeyOf,
  });
  const submit = async <Result>(item: Item): Promise<Result> => (await batcher.submit(item)) as Result;
  // A decision runs in a batch, but its messages belong to the trace of its caller.
  const onOrder: Deps['onOrder'] = (key, decide) => submit({ ...key, kind: 'request', decide: inPresentSpan(decide) });
  return {
    onOrder,
    onDispute: async ({ disputeId, whenCommitted, ...key }, decide) => {
      // A dispute never moves to another order, so it may be looked up before the order is locked.
      const { marketplaceId } = key;
      const dispute = await deps.database.pool.manager.findOneBy(disputes.entity, { id: disputeId, marketplaceId });
      if (dispute === null) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
      const { orderId, milestoneRef } = dispute;
      const focused = (order: Order): Order => (milestoneRef === null ? order : focusOn(order, milestoneRef));
      const check = whenCommitted === undefined ? {} : { whenCommitted: (order: Order) => whenCommitted(focused(order)) };
      return onOrder({ ...key, ...check, orderId }, (tx, locked) => decide(tx, { ...locked, order: focused(locked.order) }));
    },
    onNewOrder: (key, decide) =>
      submit({ kind: 'new-order', orderId: key.id, marketplaceId: key.marketplaceId, key, decide: inPresentSpan(decide) }),
    onMessage: ({ id, marketplaceId }, orderId, decide) =>
      submit({ kind: 'message', orderId, marketplaceId, messageId: id, decide: inPresentSpan(decide) }),
    drain: batcher.drain,
  };
}

/**
 * Items with the same key are committed one after the other. A new order locks its project or its client reference, every other
 * decision its order.
 */
function lockKeyOf(item: Item): string {
  const { clientOrderRef, projectId } = item.kind === 'new-order' ? item.key : { clientOrderRef: null };
  if (projectId !== undefined) return projectId;
  return clientOrderRef === null ? item.orderId : `${item.marketplaceId} ${clientOrderRef}`;
}

type Decided = { readonly result: PromiseSettledResult<unknown>; readonly writes: readonly PendingWrites[] };

function commitBatch(deps: BatchDeps, items: readonly Item[], mayBeCommitted: boolean): ReturnType<Commit> {
  return deps.database.inTransaction(async (tx) => {
    const facts = await readFacts(tx, factsQueryOf(items, mayBeCommitted));
    const decided = items.map((item) => resultIfCommitted(item, facts, mayBeCommitted) ?? decideOn(deps, item, facts));
    await sendWrites(
      deps,
      tx,
      decided.flatMap(({ writes }) => writes),
    );
    return decided.map(({ result }) => result);
  });
}

type Commit = CommitBatcherOptions<Item, unknown>['commit'];

function factsQueryOf(items: readonly Item[], mayBeCommitted: boolean): FactsQuery {
  return {
    orderIds: items.filter(({ kind }) => mayBeCommitted || kind !== 'new-order').map(({ orderId }) => orderId),
    messageIds: items.flatMap((item) => (item.kind === 'message' ? [item.messageId] : [])),
    newOrders: items.flatMap((item) => (item.kind === 'new-order' ? [item.key] : [])),
    createdIds: mayBeCommitted ? items.flatMap((item) => (item.kind === 'request' ? (item.createdId ?? []) : [])) : [],
  };
}

/** The result of a request whose COMMIT succeeded although its response was lost. Messages are recognised by the inbox. */
function resultIfCommitted(item: Item, facts: BatchFacts, mayBeCommitted: boolean): Decided | undefined {
  const order = lockedOrderFor(item, facts)?.order;
  if (!mayBeCommitted || order === undefined || item.kind === 'message') return undefined;
  if (item.kind === 'new-order') return fulfilled(item.key.whenCommitted(order), []);
  if (item.createdId !== undefined && !facts.created.has(item.createdId)) return undefined;
  const result = item.whenCommitted?.(order);
  return result === undefined ? undefined : fulfilled(result, []);
}

/**
 * A refused request does not affect the rest of the batch. Any other error rolls the batch back, and so does a refused message,
 * because its inbox row must not be committed.
 */
function decideOn({ newId }: BatchDeps, item: Item, facts: BatchFacts): Decided {
  const pending = pendingWrites();
  try {
    return fulfilled(resultOf(item, facts, unitOfWorkOn(pending, newId)), [pending]);
  } catch (reason) {
    if (item.kind === 'message' || !isAppError(reason)) throw reason;
    return { result: { status: 'rejected', reason }, writes: [] };
  }
}

function fulfilled(value: unknown, writes: readonly PendingWrites[]): Decided {
  return { result: { status: 'fulfilled', value }, writes };
}

function resultOf(item: Item, facts: BatchFacts, unitOfWork: UnitOfWork): unknown {
  switch (item.kind) {
    case 'request':
      return item.decide(unitOfWork, requireOrder(item, facts));
    case 'message':
      if (isToBeDecided(item, facts)) item.decide(unitOfWork, lockedOrderFor(item, facts));
      return undefined;
    case 'new-order':
      return item.decide(unitOfWork, newOrderFacts(item.key, facts));
  }
}

/** A message about an unknown order is decided however often it comes, because its decision writes nothing. */
function isToBeDecided({ orderId, messageId }: Extract<Item, { readonly kind: 'message' }>, facts: BatchFacts): boolean {
  return facts.newMessages.has(messageId) || !facts.orders.has(orderId);
}

function requireOrder(item: ItemKey, facts: BatchFacts): LockedOrder {
  const locked = lockedOrderFor(item, facts);
  if (locked === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId: item.orderId });
  return locked;
}

/** Undefined for an order of another marketplace. */
function lockedOrderFor({ orderId, marketplaceId }: ItemKey, { orders }: BatchFacts): LockedOrder | undefined {
  const locked = orders.get(orderId);
  return locked?.order.marketplaceId === marketplaceId ? locked : undefined;
}

function newOrderFacts(key: NewOrderKey<unknown>, { users, takenRefs, projects }: BatchFacts): NewOrderFacts {
  const { marketplaceId, clientOrderRef, projectId = '' } = key;
  const locked = projects.get(projectId);
  const isTaken = (ref: (typeof takenRefs)[number]) =>
    ref.marketplaceId === marketplaceId && ref.clientOrderRef === clientOrderRef;
  return {
    users: users.filter((user) => user.marketplaceId === marketplaceId),
    takenBy: takenRefs.find(isTaken)?.id,
    project: locked?.project.marketplaceId === marketplaceId ? locked : undefined,
  };
}
