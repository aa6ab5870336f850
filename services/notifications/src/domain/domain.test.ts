import { eventFilter, passes } from './event-filter.js';
import { shownMoment } from './occurred-at.js';
import { eventMessage, gapMessage, pingMessage, retryMessage } from './wire.js';

const at = (micros: string) => `2026-01-31T12:00:00.${micros}Z` as const;

describe('shownMoment', () => {
  it.each([
    { says: 'is the time of the publisher', last: undefined, produced: at('000005'), now: at('000009'), shown: at('000005') },
    { says: 'is never in the future', last: undefined, produced: at('000020'), now: at('000009'), shown: at('000009') },
    {
      says: 'is a microsecond after the last one when two events have the same time',
      last: at('000005'),
      produced: at('000005'),
      now: at('000009'),
      shown: at('000006'),
    },
    {
      says: 'is after the last one when the event is late',
      last: at('000008'),
      produced: at('000001'),
      now: at('000009'),
      shown: at('000009'),
    },
    { says: 'carries over into the next second', last: at('999999'), produced: at('000001'), now: at('000009'), shown: '2026-01-31T12:00:01.000000Z' },
    { says: 'carries over into the next millisecond', last: at('000999'), produced: at('000001'), now: at('000009'), shown: at('001000') },
  ] as const)('$says', ({ last, produced, now, shown }) => {
    expect(shownMoment({ last, produced, now })).toBe(shown);
  });
});

describe('eventFilter', () => {
  const event = { eventType: 'order.closed', aggregateType: 'Order' };

  it('passes every event when it is empty', () => {
    expect(passes(eventFilter({}), event)).toBe(true);
  });

  it.each([
    [{ types: ['order.closed'] }, true],
    [{ types: ['order.created', 'order.closed'] }, true],
    [{ types: ['order.created'] }, false],
    [{ resources: ['Order'] }, true],
    [{ types: ['order.closed'], resources: ['Balance'] }, false],
  ])('%j passes the event: %s', (input, isPassed) => {
    expect(passes(eventFilter(input), event)).toBe(isPassed);
  });

  it('has the same key for the same values in any order', () => {
    expect(eventFilter({ types: ['b', 'a', 'b'] }).key).toBe(eventFilter({ types: ['a', 'b'] }).key);
    expect(eventFilter({ types: ['a'] }).key).not.toBe(eventFilter({ resources: ['a'] }).key);
  });
});

describe('a server-sent event', () => {
  it('has the timestamp as id, the type and the envelope in one line', () => {
    const envelope = JSON.stringify({ text: 'two\nlines' });
    expect(eventMessage({ occurredAt: at('000001'), eventType: 'order.closed', envelope })).toBe(
      `id: ${at('000001')}\nevent: order.closed\ndata: {"text":"two\\nlines"}\n\n`,
    );
  });

  it('has no id when it is a ping, a gap or a retry', () => {
    expect(pingMessage(at('000001'))).toBe(`event: ping\ndata: {"ping":true,"timestamp":"${at('000001')}"}\n\n`);
    expect(gapMessage(at('000001'), at('000002'))).toBe(
      `event: gap\ndata: {"from":"${at('000001')}","to":"${at('000002')}"}\n\n`,
    );
    expect(retryMessage(250)).toBe('retry: 250\n\n');
  });
});
