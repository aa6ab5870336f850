import {
  escrowCreated,
  milestoneRefunded,
  milestoneReleased,
  movedMoney,
  ofOrder,
  orderClosed,
  orderEscrowFunded,
} from '@holdfast/contracts/messages';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { parseUnits, type Currency } from '@holdfast/kernel/money';
import type { CountedEvent, SummaryChanges } from './ports.js';

type Escrow = {
  readonly marketplaceId: MarketplaceId;
  /** Undefined where the contract was created before the batch. */
  readonly currency: Currency | undefined;
  readonly units: bigint;
  readonly isClosed: boolean;
};
type Changes = Pick<SummaryChanges, 'createdEscrows' | 'movedEscrows' | 'closedOrderIds'>;

/** The events about money in contracts, with the sign of their amounts. Only the payload of the first one has the currency. */
const signs: ReadonlyMap<string, bigint> = new Map([
  [escrowCreated.type, 0n],
  [orderEscrowFunded.type, 1n],
  [milestoneReleased.type, -1n],
  [milestoneRefunded.type, -1n],
]);

/** What the events move into and out of the contract of each order. A closed order has nothing in escrow, whatever was moved before. */
export function escrowsIn(events: readonly CountedEvent[]): Changes {
  const escrows = new Map<string, Escrow>();
  for (const { marketplaceId, eventType, payload } of events) {
    const sign = signs.get(eventType);
    if (sign === undefined && eventType !== orderClosed.type) continue;
    const { orderId } = ofOrder.parse(payload);
    const before = escrows.get(orderId) ?? { marketplaceId, currency: undefined, units: 0n, isClosed: false };
    if (sign === undefined) escrows.set(orderId, { ...before, isClosed: true });
    else escrows.set(orderId, { ...before, ...moved(before, sign, payload) });
  }
  return changesOf([...escrows]);
}

function moved({ currency, units }: Escrow, sign: bigint, payload: CountedEvent['payload']): Pick<Escrow, 'currency' | 'units'> {
  if (sign === 0n) return { currency: movedMoney.parse(payload).currency, units };
  return { currency, units: units + sign * parseUnits(ofOrder.parse(payload).amount ?? '0.00') };
}

function changesOf(escrows: readonly (readonly [string, Escrow])[]): Changes {
  const open = escrows.filter(([, { isClosed }]) => !isClosed);
  return {
    createdEscrows: open.flatMap(([orderId, { marketplaceId, currency, units }]) =>
      currency === undefined ? [] : [{ orderId, marketplaceId, currency, units }],
    ),
    movedEscrows: open.flatMap(([orderId, { currency, units }]) => (currency === undefined ? [{ orderId, units }] : [])),
    closedOrderIds: escrows.filter(([, { isClosed }]) => isClosed).map(([orderId]) => orderId),
  };
}
