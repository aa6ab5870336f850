import type { Order } from '../domain/order.js';

/** An order as its row has it, and the transaction that wrote the row last. */
export type KnownOrder = { readonly order: Order; readonly writtenBy: string };

/**
 * The orders that this process wrote a moment ago, as it left them. Another process may have changed them since, so whoever
 * decides on one of them proves with what it writes that the row is still the same.
 */
export type KnownOrders = {
  /** Takes it out: what becomes of it is certain only once whoever took it has committed. */
  readonly take: (orderId: string) => KnownOrder | undefined;
  readonly keep: (known: KnownOrder) => void;
  /** One of them was not as it was left: others write orders, too. For a while nothing is known. */
  readonly mistrust: () => void;
};

const ordersMax = 2_000;
/** Far less than Postgres needs to give the number of a transaction a second time. */
const keptMsMax = 60_000;
const mistrustMs = 1_000;

export function createKnownOrders(nowMs: () => number = () => performance.now()): KnownOrders {
  const kept = new Map<string, KnownOrder & { readonly keptAtMs: number }>();
  let mistrustedUntilMs = Number.NEGATIVE_INFINITY;
  return {
    take: (orderId) => {
      const known = kept.get(orderId);
      kept.delete(orderId);
      return known !== undefined && nowMs() - known.keptAtMs <= keptMsMax ? known : undefined;
    },
    keep: ({ order, writtenBy }) => {
      // Somebody else has kept it since it was taken: who of the two wrote last cannot be told from here.
      const isDoubtful = kept.delete(order.id);
      const now = nowMs();
      // Nothing becomes of a closed one any more.
      if (isDoubtful || order.status === 'CLOSED' || now < mistrustedUntilMs) return;
      kept.set(order.id, { order, writtenBy, keptAtMs: now });
      const [oldest] = kept.keys();
      if (kept.size > ordersMax && oldest !== undefined) kept.delete(oldest);
    },
    mistrust: () => {
      kept.clear();
      mistrustedUntilMs = nowMs() + mistrustMs;
    },
  };
}
