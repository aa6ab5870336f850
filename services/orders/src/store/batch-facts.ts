import type { OrderId } from '@holdfast/kernel/ids';
import { findKnownUsers, type KnownUser } from '@holdfast/service-kit/known-users';
import type { Tx } from '@holdfast/postgres';
import type { UserStatus } from '@holdfast/contracts/messages';
import { noDisputeRules } from '../domain/dispute.js';
import { realTime } from '../domain/marketplace-clock.js';
import type { Dispute } from '../domain/order.js';
import type { Party } from '../domain/parties.js';
import type { LockedOrder, LockedProject, NewOrderKey } from '../use-cases/ports.js';
import { lockAndReadProjects } from './project-store.js';
import { toDispute, toOrder } from './rows.js';
import type { DisputeRow, OrderRow } from './schema.js';
import { findCreated } from './sql/find-created.js';
import { findTakenRefs, givenRefs } from './sql/find-taken-refs.js';
import type { MarketplaceOfOrder } from './sql/marketplace-of-order.js';
import { readDisputes, recordMessagesAndLockOrders } from './sql/lock-orders.js';

/** What a batch has to read before it can be decided. */
export type FactsQuery = {
  readonly orderIds: readonly string[];
  readonly messageIds: readonly string[];
  readonly newOrders: readonly Pick<NewOrderKey<unknown>, 'marketplaceId' | 'userIds' | 'clientOrderRef' | 'projectId'>[];
  /** Each id exists if and only if the request that chose it was committed. */
  readonly createdIds: readonly string[];
};

export type BatchFacts = {
  /** Locked until the end of the transaction. */
  readonly orders: ReadonlyMap<string, LockedOrder>;
  /** Messages that are handled for the first time; those about unknown orders are left out. */
  readonly newMessages: ReadonlySet<string>;
  readonly users: readonly KnownUser[];
  readonly takenRefs: readonly TakenRef[];
  /** Locked until the end of the transaction. */
  readonly projects: ReadonlyMap<string, LockedProject>;
  readonly created: ReadonlySet<string>;
};

export type TakenRef = { readonly id: OrderId; readonly marketplaceId: string; readonly clientOrderRef: string };

/**
 * Reads everything with pipelined statements, in this order. Created ids come last: the order is locked by then, so an earlier
 * commit of unknown outcome has finished.
 */
export async function readFacts(tx: Tx, { orderIds, messageIds, newOrders, createdIds }: FactsQuery): Promise<BatchFacts> {
  const userIds = newOrders.flatMap((order) => order.userIds);
  const projectIds = newOrders.flatMap(({ projectId }) => projectId ?? []);
  const [rows, users, takenRefs, projects, created] = await Promise.all([
    orderIds.length === 0 ? [] : lockAndReadOrders(tx, messageIds, orderIds),
    userIds.length === 0 ? [] : findKnownUsers(tx, userIds),
    readTakenRefs(tx, newOrders),
    projectIds.length === 0 ? new Map<string, LockedProject>() : lockAndReadProjects(tx, projectIds),
    createdIds.length === 0 ? [] : tx.query<{ readonly id: string }>(findCreated, [createdIds]),
  ]);
  return {
    orders: new Map(rows.map(({ locked }) => [locked.order.id, locked])),
    newMessages: new Set(rows.flatMap(({ newMessages }) => newMessages)),
    users,
    takenRefs,
    projects,
    created: new Set(created.map(({ id }) => id)),
  };
}

const consumer = 'orders';

type LockedRow = OrderRow & {
  readonly buyerStatus: UserStatus | null;
  readonly sellerStatus: UserStatus | null;
  readonly isStopped: boolean;
  readonly marketplace: MarketplaceOfOrder | null;
  /** Of the whole batch, in each row. */
  readonly newMessages: readonly string[];
};

type Locked = { readonly locked: LockedOrder; readonly newMessages: readonly string[] };

async function lockAndReadOrders(tx: Tx, messageIds: readonly string[], orderIds: readonly string[]): Promise<readonly Locked[]> {
  const rows = await tx.query<LockedRow>(recordMessagesAndLockOrders, [consumer, messageIds, orderIds]);
  const disputeIds = rows.flatMap((row) => [row.disputeId ?? [], milestoneDisputeIds(row)].flat());
  const disputes = disputeIds.length === 0 ? [] : await tx.query<DisputeRow>(readDisputes, [disputeIds]);
  return rows.map((row) => {
    const found = (id: string): readonly Dispute[] =>
      disputes.filter((dispute) => dispute.id === id).map((dispute) => toDispute(dispute, row.currency));
    const order = toOrder(row, found(row.disputeId ?? '')[0] ?? null, milestoneDisputeIds(row).flatMap(found));
    const { isStopped, marketplace, newMessages } = row;
    const { disputeRules, clock } = marketplace ?? { disputeRules: noDisputeRules, clock: realTime };
    return { locked: { order, parties: toParties(row), isStopped, disputeRules, clock }, newMessages };
  });
}

function milestoneDisputeIds({ milestones }: OrderRow): readonly string[] {
  return milestones.flatMap(({ disputeId }) => disputeId ?? []);
}

/** Both parties were known users when the order was created. A missing user would count as inactive. */
function toParties({ buyerId, buyerStatus, sellerId, sellerStatus }: LockedRow): readonly Party[] {
  return [
    { id: buyerId, isActive: buyerStatus === 'ACTIVE' },
    { id: sellerId, isActive: sellerStatus === 'ACTIVE' },
  ];
}

async function readTakenRefs(tx: Tx, newOrders: FactsQuery['newOrders']): Promise<readonly TakenRef[]> {
  const withRef = newOrders.filter(({ clientOrderRef }) => clientOrderRef !== null);
  if (withRef.length === 0) return [];
  return tx.query<TakenRef>(findTakenRefs, givenRefs.valuesOf(withRef));
}
