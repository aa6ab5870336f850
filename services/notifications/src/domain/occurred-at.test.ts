import { shownMoment } from './occurred-at.js';

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
    {
      says: 'carries over into the next second',
      last: at('999999'),
      produced: at('000001'),
      now: at('000009'),
      shown: '2026-01-31T12:00:01.000000Z',
    },
    {
      says: 'carries over into the next millisecond',
      last: at('000999'),
      produced: at('000001'),
      now: at('000009'),
      shown: at('001000'),
    },
  ] as const)('$says', ({ last, produced, now, shown }) => {
    expect(shownMoment({ last, produced, now })).toBe(shown);
  });
});
