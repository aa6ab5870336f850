import type { WebhookDeliveryId } from '@holdfast/kernel/ids';
import {
  addBehind,
  addUnstored,
  afterFailure,
  afterSuccess,
  endFailure,
  noUnstoredDeliveries,
  overdueIn,
  storedUntil,
  type UnstoredDeliveries,
} from './unstored-deliveries.js';
import type { UnstoredDelivery } from './worker-ports.js';

let position = 0n;

function aDelivery(given: Partial<UnstoredDelivery> = {}): UnstoredDelivery {
  position += 1n;
  const at = '2026-01-31T12:00:00.000000Z';
  return {
    id: `whd_${position}`,
    endpointId: 'whk_1',
    marketplaceId: 'mkt_default',
    eventId: `evt_${position}`,
    eventType: 'order.created',
    aggregateType: 'Order',
    aggregateId: 'ord_1',
    position,
    eventAppendedAt: at,
    body: null,
    isReplay: false,
    createdAt: at,
    attempts: 0,
    url: 'https://a.example/',
    secrets: [],
    content: '{}',
    isOrdered: true,
    isBlocked: false,
    ...given,
  };
}

const atMs = 1_000;

/** Reads deliveries from the log; returns those that may be sent. */
function read(unstored: UnstoredDeliveries, ...deliveries: readonly UnstoredDelivery[]) {
  return deliveries.filter((delivery) => addUnstored(unstored, delivery, atMs));
}

function rowsOf(unstored: UnstoredDeliveries, readBeforeMs = 0) {
  return overdueIn(unstored, readBeforeMs).map(({ delivery, isSendable }) => [delivery.id, isSendable]);
}

const none: ReadonlySet<WebhookDeliveryId> = new Set();

describe('deliveries of one aggregate', () => {
  it('are sent one after the other, each once the one before has succeeded', () => {
    const unstored = noUnstoredDeliveries();
    const [first, second, third, other] = [aDelivery(), aDelivery(), aDelivery(), aDelivery({ aggregateId: 'ord_2' })];
    expect(read(unstored, first, second, third, other)).toEqual([first, other]);
    expect(afterSuccess(unstored, first)).toEqual([second]);
    expect(afterSuccess(unstored, second)).toEqual([third]);
    expect(afterSuccess(unstored, third)).toEqual([]);
    expect(read(unstored, aDelivery())).toHaveLength(1);
  });

  it('wait in rows after a failure, also those that are read before it is committed', () => {
    const unstored = noUnstoredDeliveries();
    const [first, second] = [aDelivery(), aDelivery()];
    read(unstored, first, second);
    expect(afterFailure(unstored, first)).toEqual([]);
    const third = aDelivery();
    expect(read(unstored, third)).toEqual([]);
    expect(rowsOf(unstored)).toEqual([
      [second.id, false],
      [third.id, false],
    ]);
    endFailure(unstored, first);
    expect(read(unstored, aDelivery({ isBlocked: true }))).toEqual([]);
  });

  it('leave the memory after a failure, also those that have rows already', () => {
    const unstored = noUnstoredDeliveries();
    const [first, second] = [aDelivery(), aDelivery()];
    read(unstored, first, second);
    unstored.entries.delete(second.id);
    expect(afterFailure(unstored, first)).toEqual([second]);
    expect(unstored.behindCount).toBe(0);
  });

  it('wait in rows while an earlier one is open', () => {
    const unstored = noUnstoredDeliveries();
    const blocked = aDelivery({ isBlocked: true });
    expect(read(unstored, blocked)).toEqual([]);
    expect(rowsOf(unstored)).toEqual([[blocked.id, false]]);
  });

  it('take one behind them that was read from its row', () => {
    const unstored = noUnstoredDeliveries();
    const [first, stored] = [aDelivery(), aDelivery()];
    expect(addBehind(unstored, stored)).toBe(false);
    read(unstored, first);
    expect(addBehind(unstored, stored)).toBe(true);
    expect(afterSuccess(unstored, first)).toEqual([stored]);
  });

  it('are sent at once at an endpoint without order', () => {
    const unstored = noUnstoredDeliveries();
    const deliveries = [aDelivery({ isOrdered: false, isBlocked: true }), aDelivery({ isOrdered: false })];
    expect(read(unstored, ...deliveries)).toEqual(deliveries);
  });
});

describe('deliveries without a row', () => {
  it('get one when they were read long ago, due if they may be sent', () => {
    const unstored = noUnstoredDeliveries();
    const [first, second] = [aDelivery(), aDelivery()];
    read(unstored, first, second);
    expect(rowsOf(unstored, atMs)).toEqual([]);
    expect(rowsOf(unstored, atMs + 1)).toEqual([
      [first.id, true],
      [second.id, false],
    ]);
  });

  it('keep the batches from the first of them on', () => {
    const unstored = noUnstoredDeliveries();
    const [first, second, third] = [aDelivery(), aDelivery(), aDelivery({ aggregateId: 'ord_2' })];
    read(unstored, first, second, third);
    unstored.readUntil = third.position;
    expect(storedUntil(unstored, none)).toBe(first.position - 1n);
    expect(storedUntil(unstored, new Set([first.id, third.id]))).toBe(second.position - 1n);
    expect(storedUntil(unstored, new Set([first.id, second.id, third.id]))).toBe(third.position);
  });
});
