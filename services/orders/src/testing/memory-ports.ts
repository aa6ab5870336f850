import { AppError } from '@holdfast/kernel/errors';
import type { Clock } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import type { Envelope } from '@holdfast/contracts/messages';
import {
  insertNew,
  memoryOutbox,
  memoryRuns,
  memoryTables,
  memoryUsers,
  type MemoryRuns,
  type MemoryRunsOptions,
  type MemoryTables,
  type MemoryTx,
  type MemoryUsers,
} from '@holdfast/testing/memory';
import { isUnresolved } from '../domain/dispute.js';
import { focusOn } from '../domain/focus.js';
import type { Dispute, Order } from '../domain/order.js';
import type { Deps, NewOrderKey, OrderOutcome, UnitOfWork } from '../use-cases/ports.js';
import { memoryDisputes, memoryOrderReads, memoryProjects } from './memory-reads.js';
import { memoryTestClocks } from './memory-test-clocks.js';
import { memoryHolds, memoryTimers, saveTimers, wakeStopped } from './memory-timers.js';
import { lockedOrder, lockedProject, memoryMarketplaceHandler, type OrderTables } from './memory-rows.js';

/** The ports that a database stands behind. */
export type StoredPorts = Pick<
  Deps,
  | 'onOrder'
  | 'onDispute'
  | 'onNewOrder'
  | 'onMessage'
  | 'orders'
  | 'disputes'
  | 'projects'
  | 'users'
  | 'runs'
  | 'handleStopChanged'
  | 'handleMarketplaceChanged'
  | 'timers'
  | 'testClocks'
>;

export type MemoryPorts = StoredPorts & {
  readonly users: MemoryUsers;
  readonly runs: MemoryRuns<OrderOutcome>;
  /** The committed rows. */
  readonly committed: () => OrderTables;
};

export type MemoryPortsOptions = Omit<MemoryRunsOptions, 'clock'> & {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly onPublished: (envelope: Envelope) => void;
};

/**
 * The stored ports in memory, for tests of use cases. `port-suite.ts` holds them to what Postgres does. Two things only Postgres has:
 * the check constraints of its tables, and commits whose outcome is unknown.
 */
export function memoryPorts({ clock, newId, onPublished, ...limits }: MemoryPortsOptions): MemoryPorts {
  const tables = memoryTables<OrderTables>({
    orders: new Map(),
    disputes: new Map(),
    comments: new Map(),
    projects: new Map(),
    users: new Map(),
    inbox: new Map(),
    runs: new Map(),
    outbox: new Map(),
    stop: new Map(),
    marketplaces: new Map(),
    timers: new Map(),
    heartbeat: new Map(),
  });
  const outbox = memoryOutbox({ clock, newId, onPublished });
  const runs = memoryRuns<OrderOutcome>(tables, { clock, ...limits });
  const unitOfWork = (tx: MemoryTx<OrderTables>): UnitOfWork => ({
    ...writesIn(tx.tables),
    runs: runs.in(tx),
    publish: (message) => outbox.add(tx, message),
    newId,
  });
  return {
    ...decisionsOn(tables, unitOfWork),
    orders: memoryOrderReads(tables),
    disputes: memoryDisputes(tables),
    projects: memoryProjects(tables),
    users: memoryUsers(tables, clock),
    runs,
    handleStopChanged: ({ payload: { isStopped } }) =>
      tables.inTransaction(({ tables: rows }) => {
        if (isStopped) rows.stop.set('platform', true);
        else rows.stop.clear();
        if (!isStopped) wakeStopped(rows, clock.now());
      }),
    timers: memoryTimers(tables, clock),
    testClocks: memoryTestClocks(tables, clock),
    handleMarketplaceChanged: memoryMarketplaceHandler(tables),
    committed: tables.committed,
  };
}

type Decisions = Pick<Deps, 'onOrder' | 'onDispute' | 'onNewOrder' | 'onMessage'>;

function decisionsOn(
  { inTransaction }: MemoryTables<OrderTables>,
  unitOfWork: (tx: MemoryTx<OrderTables>) => UnitOfWork,
): Decisions {
  return {
    onOrder: ({ marketplaceId, orderId }, decide) =>
      inTransaction((tx) => {
        const locked = lockedOrder(tx.tables, marketplaceId, orderId);
        if (locked === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId });
        return decide(unitOfWork(tx), locked);
      }),
    onDispute: ({ marketplaceId, disputeId }, decide) =>
      inTransaction((tx) => {
        const { orderId = '', milestoneRef = null } = tx.tables.disputes.get(disputeId) ?? {};
        const locked = lockedOrder(tx.tables, marketplaceId, orderId);
        if (locked === undefined) throw new AppError('DISPUTE_NOT_FOUND', { disputeId });
        const order = milestoneRef === null ? locked.order : focusOn(locked.order, milestoneRef);
        return decide(unitOfWork(tx), { ...locked, order });
      }),
    onNewOrder: (key, decide) => inTransaction((tx) => decide(unitOfWork(tx), newOrderFacts(tx.tables, key))),
    onMessage: ({ id, marketplaceId }, orderId, decide) =>
      inTransaction((tx) => {
        if (tx.tables.inbox.has(id)) return;
        tx.tables.inbox.set(id, true);
        decide(unitOfWork(tx), lockedOrder(tx.tables, marketplaceId, orderId));
      }),
  };
}

function newOrderFacts(
  tables: OrderTables,
  { marketplaceId, userIds, clientOrderRef, projectId = 'prj_none' }: NewOrderKey<unknown>,
) {
  const isTaken = (order: Order): boolean =>
    clientOrderRef !== null && order.clientOrderRef === clientOrderRef && order.marketplaceId === marketplaceId;
  return {
    users: [...tables.users.values()].filter((user) => userIds.includes(user.id) && user.marketplaceId === marketplaceId),
    takenBy: [...tables.orders.values()].find(isTaken)?.id,
    project: lockedProject(tables, marketplaceId, projectId),
  };
}

type Writes = Pick<UnitOfWork, 'orders' | 'timers' | 'setOrderOfProject' | 'addComment'>;

function writesIn(tables: OrderTables): Writes {
  const { orders, disputes, comments, projects } = tables;
  const saveDisputes = ({ id: orderId, dispute: ofOrder, milestoneDisputes }: Order): void => {
    for (const dispute of ofOrder === null ? milestoneDisputes : [ofOrder, ...milestoneDisputes]) {
      const isSameSubject = (each: { readonly orderId: string } & Dispute): boolean =>
        each.orderId === orderId && each.milestoneRef === dispute.milestoneRef;
      const another = [...disputes.values()].find((each) => isSameSubject(each) && each.id !== dispute.id && isUnresolved(each));
      if (another !== undefined && isUnresolved(dispute))
        throw new Error(`The order ${orderId} has two disputes that are not resolved.`);
      disputes.set(dispute.id, { ...dispute, orderId });
    }
  };
  return {
    orders: {
      insert: (order) => {
        insertNew(orders, order.id, order);
        saveDisputes(order);
        saveTimers(tables, undefined, order);
      },
      save: (before, after) => {
        const stored = orders.get(after.id) ?? before;
        orders.set(after.id, { ...after, ...fixedOf(stored) });
        saveDisputes(after);
        saveTimers(tables, stored, after);
      },
    },
    timers: memoryHolds(tables),
    setOrderOfProject: (projectId, orderId) => {
      const project = projects.get(projectId);
      if (project !== undefined) projects.set(projectId, { ...project, orderId });
    },
    addComment: (comment) => insertNew(comments, comment.id, comment),
  };
}

/** What never changes after the insert. */
function fixedOf({ marketplaceId, clientOrderRef, buyerId, sellerId, amount, title, description, ...order }: Order) {
  const { metadata, feeBasisPoints, releaseMode, reviewPeriod, deliverBy, onNotDelivered, createdAt } = order;
  const times = { releaseMode, reviewPeriod, deliverBy, onNotDelivered };
  const parties = { marketplaceId, buyerId, sellerId };
  return { ...parties, clientOrderRef, amount, title, description, metadata, feeBasisPoints, ...times, createdAt };
}
