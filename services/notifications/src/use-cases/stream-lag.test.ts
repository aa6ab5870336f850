import { toInstant } from '@holdfast/kernel/context';
import type { LoggedEvent } from './ports.js';
import { createStreamLag } from './stream-lag.js';

function aLag() {
  let nowMs = 100_000;
  const lag = createStreamLag({ epochMs: () => nowMs }, 5n);
  const anEvent = (position: bigint, occurredAtMs: number): LoggedEvent => ({
    position,
    marketplaceId: 'mkt_default',
    occurredAt: toInstant(occurredAtMs),
    eventType: 'order.created',
    aggregateType: 'Order',
    envelope: '{}',
  });
  return { lag, anEvent, pass: (ms: number) => void (nowMs += ms) };
}

describe('the lag of the streams', () => {
  it('is the age of the last event when it was delivered, and nothing after a while', () => {
    const { lag, anEvent, pass } = aLag();
    expect(lag.seconds()).toBe(0);
    lag.onDelivered([anEvent(6n, 98_000), anEvent(7n, 99_500)]);
    expect(lag.seconds()).toBe(0.5);
    pass(31_000);
    expect(lag.seconds()).toBe(0);
  });

  it('grows while appended events are not delivered', () => {
    const { lag, anEvent, pass } = aLag();
    lag.onAppended(6n);
    pass(3_000);
    lag.onAppended(7n);
    pass(4_000);
    expect(lag.seconds()).toBe(7);
    lag.onDelivered([anEvent(7n, 107_000)]);
    expect(lag.seconds()).toBe(0);
  });
});
