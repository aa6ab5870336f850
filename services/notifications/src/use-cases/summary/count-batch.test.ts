import * as message from '@holdfast/contracts/messages';
import { countBatch } from './count-batch.js';
import type { CountedEntry, CountedEvent } from './ports.js';

const marketplaceId = 'mkt_one';

function anEvent({ type }: message.MessageDeclaration, payload: Readonly<Record<string, unknown>>): CountedEvent {
  const metadata = { causationId: null, aggregateVersion: 1, producedAt: '2026-01-31T23:59:59.999999Z' };
  return { marketplaceId, eventType: type, occurredAt: '2026-02-01T00:00:00.000001Z', payload, metadata };
}

const entry = (before: CountedEntry['before'], after: CountedEntry['after']): CountedEntry => ({ marketplaceId, before, after });
const countsIn = (events: readonly CountedEvent[], entries: readonly CountedEntry[] = []) =>
  countBatch({ events, entries }).counts.map(({ counter, label, currency, value }) => [counter, label, currency, value]);

describe('orders', () => {
  it('are counted by the statuses of audit entries, without statuses of milestones', () => {
    const entries = [
      entry(null, { status: 'ORDER_CREATED' }),
      entry({ status: 'ORDER_CREATED' }, { status: 'FUNDS_RESERVED' }),
      entry({ status: 'ESCROW_FUNDING' }, { status: 'FUNDS_RESERVED' }),
      entry({ milestoneRef: 'draft', status: 'OPEN' }, { milestoneRef: 'draft', status: 'RELEASED' }),
      entry({ contractStatus: 'CREATED' }, { outcome: 'succeeded' }),
    ];
    expect(countsIn([], entries)).toEqual([
      ['orders', 'FUNDS_RESERVED', '', 2n],
      ['orders', 'ESCROW_FUNDING', '', -1n],
    ]);
  });

  it('make the volume of the day at which they were created', () => {
    const created = (currency: string) => anEvent(message.orderCreated, { orderId: 'ord_1', amount: '10.50', currency });
    expect(countsIn([created('USD'), created('USD'), created('XLM')])).toEqual([
      ['created', '2026-01-31', 'USD', 2n],
      ['volume', '2026-01-31', 'USD', 210_000_000n],
      ['created', '2026-01-31', 'XLM', 1n],
      ['volume', '2026-01-31', 'XLM', 105_000_000n],
    ]);
  });
});

describe('balances', () => {
  it('change by the amounts before and after, whatever the reason', () => {
    const reserved = {
      ...{ amount: '3.00', currency: 'USD', previousAvailableBalance: '10.00', newAvailableBalance: '7.00' },
      ...{ previousReservedBalance: '0.00', newReservedBalance: '3.00' },
    };
    const deducted = {
      ...{ ...reserved, reason: 'deducted', previousAvailableBalance: '7.00' },
      ...{ previousReservedBalance: '3.00', newReservedBalance: '0.00' },
    };
    expect(countsIn([anEvent(message.balanceReserved, reserved), anEvent(message.balanceReleased, deducted)])).toEqual([
      ['available', '', 'USD', -30_000_000n],
    ]);
  });
});

describe('escrow', () => {
  const [orderId, currency] = ['ord_1', 'USD'];
  const created = anEvent(message.escrowCreated, { orderId, amount: '10.00', currency });
  const funded = anEvent(message.orderEscrowFunded, { orderId, amount: '10.00' });
  const released = anEvent(message.milestoneReleased, { orderId, amount: '4.00' });
  const closed = anEvent(message.orderClosed, { orderId });

  it('holds what was funded and not paid out', () => {
    const changes = countBatch({ events: [created, funded, released], entries: [] });
    expect(changes.createdEscrows).toEqual([{ orderId, marketplaceId, currency, units: 60_000_000n }]);
    expect(changes.counts).toEqual([{ marketplaceId, counter: 'escrow', label: '', currency, value: 60_000_000n }]);
  });

  it('of an order from an earlier batch moves in its row', () => {
    const changes = countBatch({ events: [funded, released], entries: [] });
    expect(changes).toMatchObject({ counts: [], createdEscrows: [], movedEscrows: [{ orderId, units: 60_000_000n }] });
  });

  it('of a closed order is nothing, whatever the batch has moved before', () => {
    const changes = countBatch({ events: [created, funded, released, closed], entries: [] });
    expect(changes).toMatchObject({ counts: [], createdEscrows: [], movedEscrows: [], closedOrderIds: [orderId] });
  });
});

describe('disputes', () => {
  const of = (declaration: message.MessageDeclaration, disputeId: string) => anEvent(declaration, { disputeId });

  it('are opened, overdue and resolved', () => {
    const events = [
      of(message.disputeOpened, 'dsp_1'),
      of(message.disputeOverdue, 'dsp_1'),
      of(message.disputeOverdue, 'dsp_2'),
      of(message.disputeOverdue, 'dsp_3'),
      of(message.disputeResolved, 'dsp_3'),
    ];
    expect(countBatch({ events, entries: [] })).toMatchObject({
      opened: [{ disputeId: 'dsp_1', isOverdue: true }],
      overdueDisputeIds: ['dsp_2'],
      resolvedDisputeIds: ['dsp_3'],
    });
  });

  it('that a batch opens and resolves change nothing', () => {
    const events = [of(message.disputeOpened, 'dsp_1'), of(message.disputeResolved, 'dsp_1')];
    expect(countBatch({ events, entries: [] })).toMatchObject({ opened: [], overdueDisputeIds: [], resolvedDisputeIds: [] });
  });
});
