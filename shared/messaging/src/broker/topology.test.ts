import { allMessages, escrowReleased, message, orderReserveRequested, userCreated } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { consumersOf } from '@holdfast/contracts/sagas';
import { queuesByType, assertKnownQueue, topologyOf } from './topology.js';

describe('the topology', () => {
  const messages = [escrowReleased, orderReserveRequested, userCreated];

  it('has one queue per service with the types that the service consumes in sagas and outside of them', () => {
    expect(topologyOf(messages, ['orders', 'ledger-balance', 'identity'])).toEqual({
      queues: [
        { name: 'orders', types: ['escrow.released', 'user.created'] },
        { name: 'ledger-balance', types: ['escrow.released', 'order.reserve_requested', 'user.created'] },
        { name: 'identity', types: [] },
      ],
    });
  });

  it('routes public messages to the notifications service when it is in the topology', () => {
    expect(topologyOf(messages, ['notifications'])).toMatchObject({
      queues: [{ name: 'notifications', types: ['escrow.released', 'user.created'] }],
    });
  });

  it('routes every declared message to all of its consumers', () => {
    const queues = queuesByType(topologyOf(allMessages, serviceNames));
    for (const declaration of allMessages) expect(queues.get(declaration.type) ?? []).toEqual(consumersOf(declaration));
  });

  it('has no queue for a type without a consumer', () => {
    const unconsumed = message({ ...escrowReleased, type: 'escrow.unconsumed' });
    expect(queuesByType(topologyOf([unconsumed], serviceNames)).get('escrow.unconsumed')).toBeUndefined();
  });

  it('throws for a queue that it does not contain', () => {
    const topology = topologyOf([], ['orders']);
    expect(() => assertKnownQueue(topology, 'order')).toThrow('There is no queue "order"; there are: orders.');
    expect(() => assertKnownQueue(topology, 'orders')).not.toThrow();
  });
});
