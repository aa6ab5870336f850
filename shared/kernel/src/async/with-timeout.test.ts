import { settlesWithin, withTimeout } from './index.js';

const never = new Promise<never>(() => undefined);
const tooLate = (): Error => new Error('too late');

describe('withTimeout and settlesWithin', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('settle like work that ends in time, and clear their timer', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1_000, tooLate)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('refused')), 1_000, tooLate)).rejects.toThrow('refused');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('reject with the given error at the timeout', async () => {
    const outcome = expect(withTimeout(never, 1_000, tooLate)).rejects.toThrow('too late');
    jest.advanceTimersByTime(1_000);
    await outcome;
  });

  it('do not settle before the timeout', async () => {
    const outcome = withTimeout(never, 1_000, tooLate).catch((error: unknown) => error);
    jest.advanceTimersByTime(999);
    expect(await Promise.race([outcome, Promise.resolve('pending')])).toBe('pending');
  });

  it('report whether work resolves or rejects in time', async () => {
    const outcomes = [Promise.resolve(), Promise.reject(new Error('refused')), never].map((work) => settlesWithin(work, 1_000));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(outcomes)).toEqual([true, true, false]);
  });
});
