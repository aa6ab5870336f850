import { systemClock, toEpochMs, toInstant } from './index.js';

describe('the system clock', () => {
  it('returns UTC with six decimals, and does not go back within a process', () => {
    const clock = systemClock();
    const instants = Array.from({ length: 5_000 }, () => clock.now());
    expect(instants.every((instant) => /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/.test(instant))).toBe(true);
    expect([...instants].sort()).toEqual(instants);
  });

  it('agrees with the wall clock', () => {
    const clock = systemClock();
    expect(Math.abs(toEpochMs(clock.now()) - clock.epochMs())).toBeLessThan(10_000);
  });
});

describe('an instant', () => {
  it('has the microseconds of fractional milliseconds', () => {
    expect(toInstant(1_700_000_000_123.4567)).toMatch(/^2023-11-14T22:13:20\.123456Z$/);
    expect(toInstant(0)).toBe('1970-01-01T00:00:00.000000Z');
  });
});
