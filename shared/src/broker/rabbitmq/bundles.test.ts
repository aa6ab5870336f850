import type { Envelope } from '../../contracts/messages/index.js';
import type { Serialized } from '../publishing.js';
import { bundleType, shipmentsOf } from './bundles.js';
import { namesOf } from './names.js';

function message(type: string, nth: number, text = `{"nth":${nth.toString()}}`): Serialized {
  return { envelope: { id: `evt_${nth.toString()}`, type } as Envelope, text };
}

function shipped(messages: readonly Serialized[]) {
  return shipmentsOf(messages, 'orders', namesOf('test')).map(({ outgoing, messageIds }) => ({
    key: outgoing.routingKey,
    type: outgoing.type,
    content: outgoing.content.toString(),
    ids: messageIds,
  }));
}

describe('what goes to one queue at the same time', () => {
  it('is a message like any other where it is alone', () => {
    expect(shipped([message('a', 1)])).toEqual([{ key: 'test.orders', type: 'a', content: '{"nth":1}', ids: ['evt_1'] }]);
  });

  it('shares a bundle, whatever its types', () => {
    expect(shipped([message('a', 1), message('b', 2), message('a', 3)])).toEqual([
      { key: 'test.orders', type: bundleType, content: '[{"nth":1},{"nth":2},{"nth":3}]', ids: ['evt_1', 'evt_2', 'evt_3'] },
    ]);
  });

  it('is never more than a queue likes to take at once', () => {
    const many = Array.from({ length: 130 }, (_, nth) => message('a', nth));
    expect(shipped(many).map(({ ids }) => ids.length)).toEqual([64, 64, 2]);
    const large = Array.from({ length: 3 }, (_, nth) => message('a', nth, 'x'.repeat(100_000)));
    expect(shipped(large).map(({ ids }) => ids.length)).toEqual([1, 1, 1]);
  });
});
