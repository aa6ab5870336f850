import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createProviderBudget, intentsMigrations, type ProviderBudget } from './index.js';

let server: TestDatabase;
let databases: readonly [Database, Database];

beforeAll(async () => {
  server = await testDatabase();
  const open = () => server.open({ service: 'budgets-test', migrations: [intentsMigrations] });
  databases = [await open(), await open()];
}, 120_000);
beforeEach(() => server.asAdmin('truncate budgets_test.provider_budgets'));
afterAll(() => server.drop());

/** The budgets of two processes. */
function budgets(callsMax: number, windowMs: number, name = 'a provider'): readonly [ProviderBudget, ProviderBudget] {
  const [one, other] = databases;
  return [
    createProviderBudget({ database: one, name, callsMax, windowMs }),
    createProviderBudget({ database: other, name, callsMax, windowMs }),
  ];
}

const longWindowMs = 3_600_000;

/** Timers of Node.js may fire up to one millisecond early, and the two clocks are read at different moments. */
const toleranceMs = 5;

/** The n-th call after a full bucket must not be made before its token is refilled. */
function expectWithinBudget(times: readonly number[], startedAt: number, { callsMax = 1, windowMs = 1 }): void {
  times
    .toSorted((a, b) => a - b)
    .forEach((time, index) => {
      const earliest = startedAt + ((index + 1 - callsMax) * windowMs) / callsMax;
      expect(time).toBeGreaterThanOrEqual(earliest - toleranceMs);
    });
}

describe('the budget of a provider over two processes', () => {
  it('serves one bucket at once and the others as it refills, never more', async () => {
    const limit = { callsMax: 10, windowMs: 250 };
    const both = budgets(limit.callsMax, limit.windowMs);
    const startedAt = performance.now();
    const calls = both.flatMap((budget) => Array.from({ length: 25 }, () => budget.take(0).then(() => performance.now())));
    expectWithinBudget(await Promise.all(calls), startedAt, limit);
  });

  it('holds one bucket after a long idle time', async () => {
    const limit = { callsMax: 4, windowMs: 200 };
    const both = budgets(limit.callsMax, limit.windowMs);
    await both[0].take(0);
    await server.asAdmin(`update budgets_test.provider_budgets set empty_at = now() - interval '1 day'`);
    const startedAt = performance.now();
    const calls = both.flatMap((budget) => Array.from({ length: 4 }, () => budget.take(0).then(() => performance.now())));
    expectWithinBudget(await Promise.all(calls), startedAt, limit);
  });

  it('gives a process its turn although another one has many waiting calls', async () => {
    const [busy, other] = budgets(1, 50);
    let served = 0;
    const waiting = Array.from({ length: 40 }, () => busy.take(0).then(() => (served += 1)));
    await eventually(() => expect(served).toBeGreaterThan(0));
    await other.take(9);
    expect(served).toBeLessThan(40);
    await Promise.all(waiting);
  });

  it('is counted for each provider', async () => {
    const [one] = budgets(1, longWindowMs, 'one provider');
    const [, other] = budgets(1, longWindowMs, 'another provider');
    await Promise.all([one.take(0), other.take(0)]);
  });

  it('knows the calls that are left, including those of the other process', async () => {
    const [one, other] = budgets(3, longWindowMs);
    expect(one.left()).toBe(3);
    await one.take(0);
    await other.take(0);
    expect([one.left(), other.left()]).toEqual([2, 1]);
    await one.take(0);
    expect(one.left()).toBe(0);
  });
});

describe('the waiting calls of a process', () => {
  it('are served by priority, and equal ones in order', async () => {
    const [budget] = budgets(1, 50);
    const order: string[] = [];
    const take = (name: string, priority: number): Promise<unknown> => budget.take(priority).then(() => order.push(name));
    await take('first', 2);
    await Promise.all([take('deploys', 2), take('funds', 1), take('pays out', 0), take('pays out next', 0)]);
    expect(order).toEqual(['first', 'pays out', 'pays out next', 'funds', 'deploys']);
  });

  it('leave when they are aborted, and the others are served', async () => {
    const [budget] = budgets(1, 50);
    await budget.take(0);
    const leaving = new AbortController();
    const aborted = expect(budget.take(0, leaving.signal)).rejects.toThrow('gone');
    const stays = budget.take(1);
    leaving.abort(new Error('gone'));
    await aborted;
    await stays;
    await expect(budget.take(0, leaving.signal)).rejects.toThrow('gone');
  });

  it('are served if they come while the last one is being served', async () => {
    const [budget] = budgets(100, 1_000);
    for (let call = 0; call < 50; call += 1) await budget.take(0);
  });

  it('fail with SERVICE_UNAVAILABLE while the database is unavailable, and work again afterwards', async () => {
    const [budget] = budgets(1, 50);
    await budget.take(0);
    await server.setUnavailable(true);
    const calls = await Promise.allSettled([budget.take(0), budget.take(1)]);
    await server.setUnavailable(false);
    const refused = { status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } };
    expect(calls).toMatchObject([refused, refused]);
    await eventually(() => budget.take(0));
  });
});

describe('a budget without a limit', () => {
  it('serves every call at once', async () => {
    const budget = createProviderBudget({ database: databases[0], name: 'a provider', windowMs: 1_000 });
    await Promise.all(Array.from({ length: 100 }, () => budget.take(0)));
    expect(budget.left()).toBeUndefined();
    expect(await server.asAdmin('select name from budgets_test.provider_budgets')).toEqual([]);
  });
});
