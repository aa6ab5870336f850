import { eventFilter, passes } from './event-filter.js';
import { shownMoment } from './occurred-at.js';
import { eventMessage, gapMessage, pingMessage, retryMessage } from './wire.js';

const at = (micros: string) => `2026-01-31T12:00:00.${micros}Z` as const;

describe('the moment that is shown', () => {
  it.each([
    { says: 'is the producer’s', last: undefined, produced: at('000005'), now: at('000009'), shown: at('000005') },
    { says: 'is never in the future', last: undefined, produced: at('000020'), now: at('000009'), shown: at('000009') },
    {
      says: 'comes a microsecond after the last one when two share it',
      last: at('000005'),
      produced: at('000005'),
      now: at('000009'),
      shown: at('000006'),
    },
    {
      says: 'comes after the last one when the event is late',
      last: at('000008'),
      produced: at('000001'),
      now: at('000009'),
      shown: at('000009'),
    },
    { says: 'carries over', last: at('999999'), produced: at('000001'), now: at('000009'), shown: '2026-01-31T12:00:01.000000Z' },
    { says: 'carries over milliseconds', last: at('000999'), produced: at('000001'), now: at('000009'), shown: at('001000') },
  ] as const)('$says', ({ last, produced, now, shown }) => {
    expect(shownMoment({ last, produced, now })).toBe(shown);
  });
});

describe('a filter', () => {
  const event = { eventType: 'order.closed', aggregateType: 'Order' };

  it('lets everything through when nothing is asked', () => {
    expect(passes(eventFilter({}), event)).toBe(true);
  });

  it.each([
    [{ types: ['order.closed'] }, true],
    [{ types: ['order.created', 'order.closed'] }, true],
    [{ types: ['order.created'] }, false],
    [{ resources: ['Order'] }, true],
    [{ types: ['order.closed'], resources: ['Balance'] }, false],
  ])('of %j lets it through: %s', (input, isThrough) => {
    expect(passes(eventFilter(input), event)).toBe(isThrough);
  });

  it('has one key however it was written', () => {
    expect(eventFilter({ types: ['b', 'a', 'b'] }).key).toBe(eventFilter({ types: ['a', 'b'] }).key);
    expect(eventFilter({ types: ['a'] }).key).not.toBe(eventFilter({ resources: ['a'] }).key);
  });
});

describe('a message on the wire', () => {
  it('has the moment as id, the type and the envelope in one line', () => {
    const envelope = JSON.stringify({ text: 'two\nlines' });
    expect(eventMessage({ occurredAt: at('000001'), eventType: 'order.closed', envelope })).toBe(
      `id: ${at('000001')}\nevent: order.closed\ndata: {"text":"two\\nlines"}\n\n`,
    );
  });

  it('has no id where it is no event', () => {
    expect(pingMessage(at('000001'))).toBe(`event: ping\ndata: {"ping":true,"timestamp":"${at('000001')}"}\n\n`);
    expect(gapMessage(at('000001'), at('000002'))).toBe(
      `event: gap\ndata: {"from":"${at('000001')}","to":"${at('000002')}"}\n\n`,
    );
    expect(retryMessage(250)).toBe('retry: 250\n\n');
  });
});
