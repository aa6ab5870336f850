import { createUnsignedChecks } from './unsigned-checks.js';

function atTime() {
  const time = { now: 1_000_000 };
  return { time, checks: createUnsignedChecks({ epochMs: () => time.now }) };
}

describe('events without a signature', () => {
  it('cause one check per contract in half a minute', () => {
    const { time, checks } = atTime();
    expect([checks.mayCheck('esc_1'), checks.mayCheck('esc_1'), checks.mayCheck('esc_2')]).toEqual([true, false, true]);
    time.now += 29_999;
    expect(checks.mayCheck('esc_1')).toBe(false);
    time.now += 1;
    expect([checks.mayCheck('esc_1'), checks.mayCheck('esc_1')]).toEqual([true, false]);
  });

  it('cause twenty checks a minute, however many contracts they name', () => {
    const { time, checks } = atTime();
    const allowed = (): number =>
      Array.from({ length: 500 }, (_, index) => checks.mayCheck(`esc_${index}`)).filter(Boolean).length;
    expect(allowed()).toBe(20);
    time.now += 59_999;
    expect(allowed()).toBe(0);
    time.now += 1;
    expect(allowed()).toBe(20);
  });

  it('wake an intent once in half a minute', () => {
    const { time, checks } = atTime();
    expect([checks.mayWake('evt_1'), checks.mayWake('evt_1'), checks.mayWake('evt_2')]).toEqual([true, false, true]);
    time.now += 30_000;
    expect(checks.mayWake('evt_1')).toBe(true);
  });
});
