import type { Event } from '@holdfast/sdk';
import { shownMax, withEvents } from './event-buffer.js';

function anEvent(number: number): Event {
  const digits = String(number).padStart(6, '0');
  return {
    eventId: `evt_${digits}`,
    eventType: 'order.created',
    occurredAt: `2026-01-31T12:00:00.${digits}Z`,
    aggregateId: 'ord_1',
    aggregateType: 'Order',
    payload: {},
    metadata: { causationId: null, aggregateVersion: 1 },
  };
}

describe('the events on the screen', () => {
  it('have the newest first, and each once', () => {
    const shown = withEvents(withEvents([], [anEvent(1), anEvent(3)]), [anEvent(2), anEvent(3)]);
    expect(shown).toEqual([anEvent(3), anEvent(2), anEvent(1)]);
  });

  it('stay the same when nothing new has arrived', () => {
    const shown = [anEvent(1)];
    expect(withEvents(shown, [anEvent(1)])).toBe(shown);
  });

  it('are limited: the oldest go', () => {
    const shown = withEvents(
      [],
      Array.from({ length: shownMax + 5 }, (_none, number) => anEvent(number)),
    );
    expect([shown.length, shown.at(-1)]).toEqual([shownMax, anEvent(5)]);
  });
});
