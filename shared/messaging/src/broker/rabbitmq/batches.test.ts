import type { Envelope } from '@holdfast/contracts/messages';
import type { Serialized } from '../publishing.js';
import { batchType, toBatches } from './batches.js';

function message(type: string, nth: number, text = `{"nth":${nth.toString()}}`): Serialized {
  return { envelope: { id: `evt_${nth.toString()}`, type } as Envelope, text, isRepeated: false };
}

function batched(messages: readonly Serialized[]) {
  return toBatches(messages, 'test.orders').map(({ outgoing, messageIds }) => ({
    queue: outgoing.queue,
    type: outgoing.type,
    content: outgoing.content.toString(),
    ids: messageIds,
  }));
}

describe('the messages for one queue', () => {
  it('are sent without a batch when there is only one', () => {
    expect(batched([message('a', 1)])).toEqual([{ queue: 'test.orders', type: 'a', content: '{"nth":1}', ids: ['evt_1'] }]);
  });

  it('share a batch across types', () => {
    expect(batched([message('a', 1), message('b', 2), message('a', 3)])).toEqual([
      { queue: 'test.orders', type: batchType, content: '[{"nth":1},{"nth":2},{"nth":3}]', ids: ['evt_1', 'evt_2', 'evt_3'] },
    ]);
  });

  it('are repeated if one of them is', () => {
    const headersOf = (...messages: readonly Serialized[]) =>
      toBatches(messages, 'test.orders').map(({ outgoing }) => outgoing.headers);
    const repeated = { ...message('b', 2), isRepeated: true };
    expect(headersOf(message('a', 1), message('b', 2))).toEqual([{ 'holdfast-repeated': false }]);
    expect(headersOf(message('a', 1), repeated)).toEqual([{ 'holdfast-repeated': true }]);
    expect(headersOf(repeated)).toEqual([{ 'holdfast-repeated': true }]);
  });

  it('are split into batches of limited count and bytes', () => {
    const many = Array.from({ length: 130 }, (_, nth) => message('a', nth));
    expect(batched(many).map(({ ids }) => ids.length)).toEqual([64, 64, 2]);
    const large = Array.from({ length: 3 }, (_, nth) => message('a', nth, 'x'.repeat(100_000)));
    expect(batched(large).map(({ ids }) => ids.length)).toEqual([1, 1, 1]);
  });
});
