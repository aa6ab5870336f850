import type { Delivery, Topology } from '@holdfast/messaging/broker';
import { systemClock } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { idFactory } from '@holdfast/kernel/ids';
import type { TestBroker } from './test-broker.js';

/** A driver on a transport that can be made to fail. Every test creates its own. */
export type BrokerUnderTest = {
  readonly open: (options?: { readonly drainTimeoutMs?: number }) => Promise<TestBroker>;
  /** Puts a body into a queue without the driver, so that it may be invalid. */
  readonly putRaw: (queue: string, body: string) => Promise<void>;
  /** Interrupts the transport briefly. Resolves when it is available again; the driver may need longer to reconnect. */
  readonly interrupt: () => Promise<void>;
  /** Simulates a crash of the broker's process: it acknowledges nothing more. Resolves to the broker of a new process. */
  readonly crash: (broker: TestBroker) => Promise<TestBroker>;
  readonly dispose: () => Promise<void>;
};

/** Test cases of the contract suite: title to test. */
export type Facts = Readonly<Record<string, (broker: BrokerUnderTest) => Promise<void>>>;

/** `a.happened` is routed to both queues, `b.happened` to one, any other type to none. */
export const testTopology: Topology = {
  queues: [
    { name: 'orders', types: ['a.happened', 'b.happened'] },
    { name: 'payments', types: ['a.happened'] },
  ],
};

/** Short, and each delay clearly longer than the one before. */
export const testRetryDelaysMs: readonly number[] = [50, 150, 300];

const clock = systemClock();
const newId = idFactory(clock.epochMs);

export function anEnvelope(overrides: Partial<Envelope> = {}): Envelope {
  return {
    id: newId('evt'),
    type: 'a.happened',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'Order',
    aggregateId: newId('ord'),
    aggregateVersion: 1,
    marketplaceId: 'mkt_default',
    correlationId: 'request-1',
    payload: { amount: '1.00', note: 'Grüße \u0000 "quoted"' },
    ...overrides,
  };
}

export function envelopes(count: number, overrides: Partial<Envelope> = {}): readonly Envelope[] {
  return Array.from({ length: count }, () => anEnvelope(overrides));
}

export function idsOf(list: readonly Envelope[]): readonly string[] {
  return list.map(({ id }) => id).sort();
}

/** A handler that records its deliveries and their times, and then runs the callback of the test. */
export type Recorder = {
  readonly handler: (delivery: Delivery) => Promise<void>;
  readonly deliveries: readonly Delivery[];
  readonly times: readonly number[];
  readonly ids: () => readonly string[];
};

export function recorder(then: (delivery: Delivery, count: number) => void | Promise<void> = () => undefined): Recorder {
  const deliveries: Delivery[] = [];
  const times: number[] = [];
  return {
    deliveries,
    times,
    ids: () => deliveries.map(({ envelope }) => envelope.id).sort(),
    handler: async (delivery) => {
      deliveries.push(delivery);
      times.push(performance.now());
      await then(delivery, deliveries.length);
    },
  };
}

/** A promise that the test resolves with `open`. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
