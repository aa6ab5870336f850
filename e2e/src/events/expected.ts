import { allMessages } from '@holdfast/contracts/messages';
import type { EventRecord } from '@holdfast/contracts/http';
import type { Order } from '../faults/order-life.js';

export const catalogue = allMessages.filter(({ visibility }) => visibility === 'public');

const created = ['user.created', 'user.created', 'balance.credited', 'order.created'];
const reserved = [...created, 'balance.reserved', 'order.funds_reserved'];
const withEscrow = [...reserved, 'order.escrow_creating', 'escrow.created', 'order.escrow_funding'];
const moneyLeaves = ['escrow.funding_started', 'balance.released'];
const arrives = ['escrow.funded', 'order.escrow_funded', 'order.in_progress'];
const funded = [...withEscrow, ...moneyLeaves, ...arrives];
const ofMilestones = ['escrow.milestone_completed', 'escrow.milestone_completed'];

/** Every public event of an order and its parties, in causal order. */
export const expected = {
  release: [
    ...funded,
    ...ofMilestones,
    'order.release_requested',
    'escrow.released',
    'balance.credited',
    'order.released',
    'order.closed',
  ],
  refund: [...funded, 'order.refund_requested', 'escrow.refunded', 'balance.credited', 'order.refunded', 'order.closed'],
  split: [
    ...funded,
    'dispute.opened',
    'order.disputed',
    'dispute.under_review',
    'order.release_requested',
    'escrow.released',
    'balance.credited',
    'balance.credited',
    'dispute.resolved',
    'order.released',
    'order.closed',
  ],
  cancel: [...reserved, 'balance.released', 'order.canceled', 'order.closed'],
  failedFunding: [...withEscrow, ...moneyLeaves, 'balance.reserved', ...moneyLeaves, ...arrives],
} as const;

/** The events of an order that has no milestones. */
export function withoutMilestones(types: readonly string[]): readonly string[] {
  return types.filter((type) => !ofMilestones.includes(type));
}

/** The wallet of a user comes by itself, at its own time: it has a place among the user's own events only. */
export const comesByItself = 'user.ledger_linked';

export function eventsOf(events: readonly EventRecord[], { id, buyerId, sellerId }: Order): readonly EventRecord[] {
  const parties: readonly string[] = [buyerId, sellerId];
  return events.filter(({ aggregateId, payload }) => payload['orderId'] === id || parties.includes(aggregateId));
}

export function typesOf(events: readonly EventRecord[]): readonly string[] {
  return events.map(({ eventType }) => eventType).filter((type) => type !== comesByItself);
}

/** The parties and the money of an order exist before it, in any order among them: they do not cause each other. */
export function inCausalOrder(types: readonly string[]): readonly string[] {
  const isBefore = types.indexOf('order.created');
  return [...types.slice(0, isBefore).toSorted().toReversed(), ...types.slice(isBefore)];
}
