import { z } from 'zod';
import { allMessages, message, type MessageDeclaration } from '../contracts/messages/index.js';
import { serviceNames, type ServiceName } from '../contracts/services/index.js';
import { queuesByType, refuseUnknownQueue, topologyOf } from './topology.js';

function aDeclaration(
  type: string,
  listeners: readonly ServiceName[],
  visibility: 'public' | 'internal' = 'internal',
): MessageDeclaration {
  return message({
    type,
    version: 1,
    visibility,
    aggregateType: 'Order',
    summary: type,
    publisher: 'orders',
    listeners,
    payload: z.unknown(),
  });
}

describe('the topology', () => {
  it('has one queue per service, bound to what the service listens to', () => {
    const messages = [aDeclaration('a', ['orders', 'payments']), aDeclaration('b', ['payments']), aDeclaration('c', [])];
    expect(topologyOf(messages, ['orders', 'payments', 'identity'])).toEqual({
      queues: [
        { name: 'orders', types: ['a'] },
        { name: 'payments', types: ['a', 'b'] },
        { name: 'identity', types: [] },
      ],
    });
  });

  it('sends public messages to notifications too, once, when that service is there', () => {
    const messages = [aDeclaration('a', [], 'public'), aDeclaration('b', ['notifications'], 'public'), aDeclaration('c', [])];
    expect(topologyOf(messages, ['notifications'])).toMatchObject({ queues: [{ name: 'notifications', types: ['a', 'b'] }] });
    expect(topologyOf(messages, ['orders'])).toEqual({ queues: [{ name: 'orders', types: [] }] });
  });

  it('leads every declared message to all of its listeners', () => {
    const queues = queuesByType(topologyOf(allMessages, serviceNames));
    for (const { type, listeners } of allMessages) expect(queues.get(type) ?? []).toEqual(expect.arrayContaining([...listeners]));
  });

  it('knows no queues for a type that nobody hears', () => {
    expect(queuesByType(topologyOf([aDeclaration('a', [])], ['orders'])).get('a')).toBeUndefined();
  });

  it('refuses a queue that is not in it', () => {
    const topology = topologyOf([], ['orders']);
    expect(() => refuseUnknownQueue(topology, 'order')).toThrow('There is no queue "order"; there are: orders.');
    expect(() => refuseUnknownQueue(topology, 'orders')).not.toThrow();
  });
});
