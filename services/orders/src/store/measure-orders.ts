import { currencies } from '@holdfast/kernel/money';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Job } from '@holdfast/work';
import { orderStatuses, type OrderStatus } from '../domain/order-states.js';
import { disputesOpen, heldTokens, ordersByState } from '../metrics.js';
import { countOrders } from './order-counts.js';

const everyMs = 60_000;
const unitsPerWhole = 10_000_000;
/** The money of an order in these states is in its contract. */
const holding: readonly OrderStatus[] = ['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'];

/** Measures the orders by state, the money in escrow and the open disputes. */
export function measureOrdersJob({ database, metrics }: Pick<ServiceRuntime, 'database' | 'metrics'>): Job {
  const orders = metrics.gauge(ordersByState);
  const held = metrics.gauge(heldTokens);
  const disputes = metrics.gauge(disputesOpen);
  return {
    name: 'measure-orders',
    everyMs,
    run: async () => {
      const { open, closed, openDisputes } = await countOrders(database);
      for (const state of orderStatuses) {
        const inState = open.filter(({ status }) => status === state).reduce((sum, { count }) => sum + count, 0);
        orders.set({ state }, state === 'CLOSED' ? closed : inState);
      }
      for (const currency of currencies) {
        const amounts = open.filter((group) => group.currency === currency && holding.includes(group.status));
        const units = amounts.reduce((sum, group) => sum + group.units, 0n);
        held.set({ currency }, Number(units) / unitsPerWhole);
      }
      disputes.set(openDisputes);
    },
  };
}
