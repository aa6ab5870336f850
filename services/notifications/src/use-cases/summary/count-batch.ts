import * as message from '@holdfast/contracts/messages';
import type { MarketplaceId } from '@holdfast/kernel/ids';
import { parseUnits } from '@holdfast/kernel/money';
import { countedDay } from './counted-day.js';
import { disputesIn } from './disputes-in.js';
import { escrowsIn } from './escrows-in.js';
import type { CountChange, CountedEntry, CountedEscrow, CountedEvent, SummaryBatch, SummaryChanges } from './ports.js';

/** The events that change a counter. */
export const countedTypes: readonly string[] = [
  message.orderCreated,
  message.orderEscrowFunded,
  message.orderClosed,
  message.escrowCreated,
  message.balanceCredited,
  message.balanceDebited,
  message.balanceReserved,
  message.balanceReleased,
  message.milestoneReleased,
  message.milestoneRefunded,
  message.disputeOpened,
  message.disputeOverdue,
  message.disputeResolved,
].map(({ type }) => type);

/** Counts a batch. The order of its events matters only within an order or a dispute, so that a late event is counted right, too. */
export function countBatch({ events, entries }: Pick<SummaryBatch, 'events' | 'entries'>): SummaryChanges {
  const escrows = escrowsIn(events);
  const counts = [...entries.flatMap(statusesOf), ...events.flatMap(countsOf), ...escrows.createdEscrows.map(toCount)];
  return { counts: added(counts), ...escrows, ...disputesIn(events) };
}

const statuses: ReadonlySet<unknown> = new Set(message.orderStatuses);

/**
 * Each change of an order's status has an audit entry with the status before and after it, also where no event reports it. Entries
 * about a milestone name it, and have its status.
 */
function statusesOf({ marketplaceId, before, after }: CountedEntry): readonly CountChange[] {
  const of = (state: CountedEntry['before'], value: bigint): readonly CountChange[] => {
    const status = state !== null && !('milestoneRef' in state) && statuses.has(state['status']) ? state['status'] : undefined;
    return typeof status === 'string' ? [{ marketplaceId, counter: 'orders', label: status, currency: '', value }] : [];
  };
  return [...of(before, -1n), ...of(after, 1n)];
}

function countsOf(event: CountedEvent): readonly CountChange[] {
  const { marketplaceId, eventType, payload } = event;
  if (eventType === message.orderCreated.type) {
    const { amount, currency } = message.movedMoney.parse(payload);
    const created = { marketplaceId, label: countedDay(event), currency };
    return [
      { ...created, counter: 'created', value: 1n },
      { ...created, counter: 'volume', value: parseUnits(amount) },
    ];
  }
  return eventType.startsWith('balance.') ? balancesOf(marketplaceId, payload) : [];
}

/** Every change of a balance is an event with the amounts before and after it. */
function balancesOf(marketplaceId: MarketplaceId, payload: CountedEvent['payload']): readonly CountChange[] {
  const { currency } = message.movedMoney.parse(payload);
  const changeOf = (part: 'Available' | 'Reserved'): bigint => {
    const [previous, next] = [payload[`previous${part}Balance`], payload[`new${part}Balance`]];
    return typeof previous === 'string' && typeof next === 'string' ? parseUnits(next) - parseUnits(previous) : 0n;
  };
  return [
    { marketplaceId, counter: 'available', label: '', currency, value: changeOf('Available') },
    { marketplaceId, counter: 'reserved', label: '', currency, value: changeOf('Reserved') },
  ];
}

function toCount({ marketplaceId, currency, units }: CountedEscrow): CountChange {
  return { marketplaceId, counter: 'escrow', label: '', currency, value: units };
}

/** One change per counter, without those that cancel each other out. */
function added(changes: readonly CountChange[]): readonly CountChange[] {
  const sums = new Map<string, CountChange>();
  for (const change of changes) {
    const key = [change.marketplaceId, change.counter, change.label, change.currency].join(' ');
    sums.set(key, { ...change, value: change.value + (sums.get(key)?.value ?? 0n) });
  }
  return [...sums.values()].filter(({ value }) => value !== 0n);
}
