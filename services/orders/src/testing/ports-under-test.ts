import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { PortFactsOf, TestedPorts } from '@holdfast/testing/memory';
import type { NewSagaRun } from '@holdfast/sagas';
import type { KnownUser } from '@holdfast/service-kit/known-users';
import type { Order } from '../domain/order.js';
import { anOrder } from './an-order.js';
import type { StoredPorts } from './memory-ports.js';

/** The stored ports on memory or Postgres. Tests share them, and each has orders and users of its own. */
export type PortsUnderTest = StoredPorts & TestedPorts;

export type PortFacts = PortFactsOf<PortsUnderTest>;

/** Retries and deadlines of the runs under test. */
export const runLimits = {
  retries: { firstAfterMs: 60_000, afterMsMax: 150_000 },
  deadlines: { sagas: ['reserve'], afterMs: 600_000 },
};

/** Stores an order of users that exist nowhere else. */
export async function insertOrder(ports: PortsUnderTest, given: Partial<Order> = {}): Promise<Order> {
  const { newId, onNewOrder } = ports;
  const order = anOrder({ id: newId('ord'), buyerId: newId('usr'), sellerId: newId('usr'), ...given });
  const { id, marketplaceId, clientOrderRef, buyerId, sellerId } = order;
  const key = { id, marketplaceId, userIds: [buyerId, sellerId], clientOrderRef, whenCommitted: (found: Order) => found };
  return onNewOrder(key, (tx) => {
    tx.orders.insert(order);
    return order;
  });
}

/** Writes this state of an order. */
export function saveOrder({ onOrder }: PortsUnderTest, after: Order): Promise<void> {
  return onOrder({ marketplaceId: after.marketplaceId, orderId: after.id }, (tx, { order }) => tx.orders.save(order, after));
}

export function aKnownUser({ newId }: PortsUnderTest, given: Partial<KnownUser> = {}): KnownUser {
  const receivedAt = '2026-01-31T12:00:00.000000Z' as const;
  const usual = { marketplaceId: defaultMarketplaceId, type: 'BOTH', status: 'ACTIVE', version: 1, receivedAt } as const;
  return { ...usual, id: newId('usr'), ...given };
}

/** A user that the service knows. */
export async function addKnownUser(ports: PortsUnderTest, given: Partial<KnownUser> = {}): Promise<KnownUser> {
  const user = aKnownUser(ports, given);
  ports.addToIdentity(user);
  await ports.users.require({ marketplaceId: user.marketplaceId, userId: user.id, requestId: 'req-1' });
  return user;
}

export function aRun({ newId }: PortsUnderTest, aggregateId: string, saga = 'reserve'): NewSagaRun {
  return { id: newId('run'), saga, aggregateId, marketplaceId: defaultMarketplaceId, correlationId: 'req-1' };
}
