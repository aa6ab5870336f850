import type { Broker, Delivery, Subscription } from '@holdfast/messaging/broker';
import { redriveParked, type ParkedMessage, type ParkedMessages } from '@holdfast/messaging/parked';

/** A broker whose consumers park their messages in the tables of the test. */
export type TestBroker = Omit<Broker, 'consume'> & {
  readonly consume: (
    queue: string,
    options: { readonly prefetch: number },
    handler: (delivery: Delivery) => Promise<void>,
  ) => Promise<Subscription>;
  readonly listParked: (queue: string, countMax: number) => Promise<readonly ParkedMessage[]>;
  readonly redriveParked: (queue: string, messageIds?: readonly string[]) => Promise<number>;
};

export function testBroker(broker: Broker, parkedOf: (queue: string) => ParkedMessages): TestBroker {
  return {
    ...broker,
    consume: (queue, { prefetch }, handler) => broker.consume(queue, { prefetch, parked: parkedOf(queue) }, handler),
    listParked: (queue, countMax) => parkedOf(queue).list(countMax),
    redriveParked: (queue, messageIds) => redriveParked({ parked: parkedOf(queue), broker, queue }, messageIds),
  };
}
