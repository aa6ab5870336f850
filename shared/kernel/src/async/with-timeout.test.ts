import { settlesWithin, withTimeout } from './index.js';

const never = new Promise<never>(() => undefined);
const tooLate = (): Error => new Error('too late');

describe('a time limit', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('gives the outcome of work that ends in time, and leaves no timer behind', async () => {
    await expect(withTimeout(Promise.resolve('done'), 1_000, tooLate)).resolves.toBe('done');
    await expect(withTimeout(Promise.reject(new Error('refused')), 1_000, tooLate)).rejects.toThrow('refused');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('rejects with the given error once it is reached', async () => {
    const outcome = expect(withTimeout(never, 1_000, tooLate)).rejects.toThrow('too late');
    jest.advanceTimersByTime(1_000);
    await outcome;
  });

  it('does not end work before it is reached', async () => {
    const outcome = withTimeout(never, 1_000, tooLate).catch((error: unknown) => error);
    jest.advanceTimersByTime(999);
    expect(await Promise.race([outcome, Promise.resolve('pending')])).toBe('pending');
  });

  it('tells whether work settles in time, well or badly', async () => {
    const outcomes = [Promise.resolve(), Promise.reject(new Error('refused')), never].map((work) => settlesWithin(work, 1_000));
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(outcomes)).toEqual([true, true, false]);
  });
});
