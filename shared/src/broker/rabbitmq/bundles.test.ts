import type { Envelope } from '../../contracts/messages/index.js';
import type { Serialized } from '../publishing.js';
import { bundleType, shipmentsOf } from './bundles.js';
import { namesOf } from './names.js';

const names = namesOf('test');
const queues: Readonly<Record<string, readonly string[]>> = { a: ['orders'], b: ['orders'], c: ['orders', 'payments'] };

function message(type: string, nth: number, text = `{"nth":${nth.toString()}}`): Serialized {
  return { envelope: { id: `evt_${nth.toString()}`, type } as Envelope, text };
}

function shipped(messages: readonly Serialized[]) {
  return shipmentsOf(messages, (type) => queues[type] ?? [], names).map(({ outgoing, messageIds }) => ({
    key: outgoing.routingKey,
    type: outgoing.type,
    ids: messageIds,
  }));
}

describe('what is published together', () => {
  it('goes alone by its type where nothing else goes the same way', () => {
    expect(shipped([message('a', 1), message('c', 2)])).toEqual([
      { key: 'a', type: 'a', ids: ['evt_1'] },
      { key: 'c', type: 'c', ids: ['evt_2'] },
    ]);
  });

  it('shares a bundle for each queue it goes to, whatever its types', () => {
    expect(shipped([message('a', 1), message('c', 2), message('b', 3), message('c', 4)])).toEqual([
      { key: 'bundle.orders', type: bundleType, ids: ['evt_1', 'evt_3'] },
      { key: 'bundle.orders', type: bundleType, ids: ['evt_2', 'evt_4'] },
      { key: 'bundle.payments', type: bundleType, ids: ['evt_2', 'evt_4'] },
    ]);
  });

  it('is never more than a queue likes to take at once', () => {
    const many = Array.from({ length: 130 }, (_, nth) => message('a', nth));
    expect(shipped(many).map(({ ids }) => ids.length)).toEqual([64, 64, 2]);
    const large = Array.from({ length: 3 }, (_, nth) => message('a', nth, 'x'.repeat(100_000)));
    expect(shipped(large).map(({ ids }) => ids.length)).toEqual([1, 1, 1]);
  });
});
