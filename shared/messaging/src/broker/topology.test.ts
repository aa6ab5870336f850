import { allMessages, escrowReleased, message, orderReserveRequested, userCreated } from '@holdfast/contracts/messages';
import { serviceNames } from '@holdfast/contracts/services';
import { consumersOf } from '@holdfast/contracts/sagas';
import { queuesByType, assertKnownQueue, topologyOf } from './topology.js';

describe('the topology', () => {
  const messages = [escrowReleased, orderReserveRequested, userCreated];

  it('has one queue per service, bound to what the service consumes in sagas and outside of them', () => {
    expect(topologyOf(messages, ['orders', 'ledger-balance', 'identity'])).toEqual({
      queues: [
        { name: 'orders', types: ['escrow.released', 'user.created'] },
        { name: 'ledger-balance', types: ['escrow.released', 'order.reserve_requested', 'user.created'] },
        { name: 'identity', types: [] },
      ],
    });
  });

  it('sends public messages to notifications too, when that service is there', () => {
    expect(topologyOf(messages, ['notifications'])).toMatchObject({
      queues: [{ name: 'notifications', types: ['escrow.released', 'user.created'] }],
    });
  });

  it('leads every declared message to all of its consumers', () => {
    const queues = queuesByType(topologyOf(allMessages, serviceNames));
    for (const declaration of allMessages) expect(queues.get(declaration.type) ?? []).toEqual(consumersOf(declaration));
  });

  it('knows no queues for a type that nobody consumes', () => {
    const unread = message({ ...escrowReleased, type: 'escrow.unread' });
    expect(queuesByType(topologyOf([unread], serviceNames)).get('escrow.unread')).toBeUndefined();
  });

  it('refuses a queue that is not in it', () => {
    const topology = topologyOf([], ['orders']);
    expect(() => assertKnownQueue(topology, 'order')).toThrow('There is no queue "order"; there are: orders.');
    expect(() => assertKnownQueue(topology, 'orders')).not.toThrow();
  });
});
