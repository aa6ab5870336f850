import type { Envelope } from '@holdfast/contracts/messages';
import type { Broker, Delivery, Subscription, UnhandledMessage } from '@holdfast/messaging/broker';
import { redriveParked, type ParkedMessage, type ParkedMessages } from '@holdfast/messaging/parked';

/** A broker whose consumers park their messages in the tables of the test. */
export type TestBroker = Omit<Broker, 'consume'> & {
  readonly consume: (
    queue: string,
    options: { readonly prefetch: number },
    handler: (delivery: Delivery) => Promise<void>,
  ) => Promise<Subscription>;
  /** Parks the message as a process does that dies before it acknowledges it. */
  readonly park: (queue: string, envelope: Envelope) => Promise<void>;
  readonly listParked: (queue: string, countMax: number) => Promise<readonly ParkedMessage[]>;
  readonly redriveParked: (queue: string, messageIds?: readonly string[]) => Promise<number>;
};

export function testBroker(broker: Broker, parkedOf: (queue: string) => ParkedMessages): TestBroker {
  return {
    ...broker,
    consume: (queue, { prefetch }, handler) => broker.consume(queue, { prefetch, parked: parkedOf(queue) }, handler),
    park: (queue, envelope) => parkedOf(queue).park(toUnhandled(envelope)),
    listParked: (queue, countMax) => parkedOf(queue).list(countMax),
    redriveParked: (queue, messageIds) => redriveParked({ parked: parkedOf(queue), broker, queue }, messageIds),
  };
}

function toUnhandled(envelope: Envelope): UnhandledMessage {
  const { id: messageId, type } = envelope;
  return { messageId, type, body: Buffer.from(JSON.stringify(envelope)), attempts: 1, reason: 'parked by the test' };
}
