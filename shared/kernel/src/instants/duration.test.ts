import { durationMsOf, instantAfter, instantBefore, isDuration } from './index.js';

describe('a duration', () => {
  it.each([
    ['PT1S', 1_000],
    ['PT90M', 5_400_000],
    ['P14D', 1_209_600_000],
    ['P2W', 1_209_600_000],
    ['P1W1DT1H1M1S', 694_861_000],
    ['PT0S', 0],
  ])('%s is %d ms', (text, ms) => {
    expect(durationMsOf(text)).toBe(ms);
  });

  it.each([
    '',
    'P',
    'PT',
    'P1DT',
    '14D',
    'P1Y',
    'P1M',
    'P1.5D',
    'PT1.5S',
    '-P1D',
    'P-1D',
    ' P1D',
    'P1D ',
    'p1d',
    'P1H',
    'PT1D',
    'P99999999999999999W',
  ])('%j is refused', (text) => {
    expect(durationMsOf(text)).toBeUndefined();
    expect(isDuration(text)).toBe(false);
  });
});

describe('an instant after a duration', () => {
  it('keeps its microseconds', () => {
    expect(instantAfter('2026-01-31T12:00:00.123456Z', 'P1DT1S')).toBe('2026-02-01T12:00:01.123456Z');
    expect(instantBefore('2026-02-01T12:00:01.123456Z', 'P1DT1S')).toBe('2026-01-31T12:00:00.123456Z');
  });
});
