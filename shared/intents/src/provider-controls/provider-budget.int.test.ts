import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '@holdfast/testing/eventually';
import { createProviderBudget, type BudgetCall, type ProviderBudget, type BudgetLimits } from './provider-budget.js';
import { IntentPaused } from '../intent.js';
import {
  aCall,
  isTaken,
  longWindowMs,
  refill,
  startBudgets,
  type RunningBudgets,
  type TwoBudgets,
  type Window,
} from '../testing/budgets.js';

let running: RunningBudgets;
let server: RunningBudgets['server'];

beforeAll(async () => {
  running = await startBudgets();
  ({ server } = running);
});
beforeEach(() => running.reset());
afterAll(() => server.drop());

const budgets: RunningBudgets['of'] = (...given) => running.of(...given);

/** As an intent does: requests it again after each pause, and returns when the call was made. */
async function untilTaken(budget: ProviderBudget, call: BudgetCall): Promise<number> {
  for (;;) {
    try {
      await budget.take(call);
      return performance.now();
    } catch (error) {
      if (!(error instanceof IntentPaused)) throw error;
      await pause(error.retryInMs);
    }
  }
}

/** Timers of Node.js may fire up to one millisecond early, and the two clocks are read at different moments. */
const toleranceMs = 5;

/** The n-th call after a full bucket must not be made before its token is refilled. */
function expectWithinBudget(times: readonly number[], startedAt: number, { callsMax, windowMs }: Window): void {
  times
    .toSorted((a, b) => a - b)
    .forEach((time, index) => {
      const earliest = startedAt + ((index + 1 - callsMax) * windowMs) / callsMax;
      expect(time).toBeGreaterThanOrEqual(earliest - toleranceMs);
    });
}

describe('the budget of a provider over two processes', () => {
  it('serves one bucket at once and the others as it refills, never more', async () => {
    const window = { callsMax: 10, windowMs: 500 };
    const both = budgets(window);
    const startedAt = performance.now();
    const made = both.flatMap((budget) => Array.from({ length: 25 }, () => untilTaken(budget, aCall())));
    expectWithinBudget(await Promise.all(made), startedAt, window);
  });

  it('holds one bucket after a long idle time', async () => {
    const window = { callsMax: 4, windowMs: longWindowMs };
    const both = budgets(window);
    await both[0].take(aCall());
    await server.asAdmin(`update budgets_test.provider_budgets set empty_at = now() - interval '1 day'`);
    const taken = [];
    for (let call = 0; call < 6; call += 1) taken.push(await isTaken(both[call % 2 === 0 ? 0 : 1], aCall()));
    expect(taken).toEqual([true, true, true, true, false, false]);
  });

  it('is counted for each provider', async () => {
    const [one] = budgets({ callsMax: 1, windowMs: longWindowMs }, {}, 'one provider');
    const [, other] = budgets({ callsMax: 1, windowMs: longWindowMs }, {}, 'another provider');
    await Promise.all([one.take(aCall()), other.take(aCall())]);
  });

  it('knows the calls that are left after the calls of the other process', async () => {
    const [one, other] = budgets({ callsMax: 3, windowMs: longWindowMs });
    expect(one.left()).toBe(3);
    await one.take(aCall());
    await other.take(aCall());
    expect([one.left(), other.left()]).toEqual([2, 1]);
    await one.take(aCall());
    expect(one.left()).toBe(0);
  });

  it('is empty once the provider has refused a call because of its limit', async () => {
    const [one, other] = budgets({ callsMax: 3, windowMs: longWindowMs });
    await one.empty();
    expect(one.left()).toBe(0);
    expect(await isTaken(other, aCall())).toBe(false);
  });
});

describe('a waiting call', () => {
  const window = { callsMax: 10, windowMs: longWindowMs };

  /** A budget without a token left. */
  async function usedUp(limits: Partial<BudgetLimits> = {}): Promise<TwoBudgets> {
    const both = budgets(window, limits);
    await both[0].empty();
    return both;
  }

  it('pauses its intent, and keeps its place', async () => {
    const [one, other] = await usedUp();
    const [first, second] = [aCall(), aCall()];
    await expect(one.take(first)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryInMs: 5_000 });
    expect(await isTaken(other, second)).toBe(false);
    await refill(server, 1, window);
    expect(await isTaken(other, second)).toBe(false);
    expect(await isTaken(one, first)).toBe(true);
    await refill(server, 1, window);
    expect(await isTaken(other, second)).toBe(true);
  });

  it('gets its token without a pause if that is refilled soon', async () => {
    const [budget] = budgets({ callsMax: 1, windowMs: 50 }, { waitMsMax: 60_000 });
    await budget.take(aCall());
    await budget.take(aCall());
  });

  it('goes ahead of calls with a lower priority, whichever process requests them', async () => {
    const [one, other] = await usedUp();
    const [deploys, funds, settles] = [aCall({ priority: 2 }), aCall({ priority: 1 }), aCall({ priority: 0 })];
    for (const [budget, call] of [
      [one, deploys],
      [other, funds],
      [one, settles],
    ] as const)
      await isTaken(budget, call);
    await refill(server, 1, window);
    expect([await isTaken(one, deploys), await isTaken(other, funds), await isTaken(other, settles)]).toEqual([
      false,
      false,
      true,
    ]);
    await refill(server, 2, window);
    expect([await isTaken(other, deploys), await isTaken(one, funds)]).toEqual([true, true]);
  });

  it('of a marketplace with few calls is not delayed by the hundred calls of another one', async () => {
    const [one, other] = await usedUp();
    const busy = Array.from({ length: 100 }, () => aCall({ marketplaceId: 'busy' }));
    for (const call of busy) await isTaken(one, call);
    const few = ['small', 'little'].flatMap((marketplaceId) => [aCall({ marketplaceId }), aCall({ marketplaceId })]);
    for (const call of few) await isTaken(other, call);
    const served: (string | undefined)[] = [];
    for (let token = 0; token < 6; token += 1) {
      await refill(server, 1, window);
      for (const call of [...busy.slice(0, 2), ...few])
        if (!served.includes(call.key) && (await isTaken(one, call))) served.push(call.key);
    }
    const marketplaceOf = (key: string | undefined) => [...busy, ...few].find((call) => call.key === key)?.marketplaceId;
    expect(served.map(marketplaceOf).toSorted()).toEqual(['busy', 'busy', 'little', 'little', 'small', 'small']);
  });

  it('of a dead process keeps its place only for a while', async () => {
    const [dead, living] = await usedUp({ livesForMs: 200 });
    await isTaken(dead, aCall());
    const call = aCall();
    await isTaken(living, call);
    await refill(server, 1, window);
    await eventually(async () => expect(await isTaken(living, call)).toBe(true));
  });

  it('is given up when its signal is aborted', async () => {
    const [budget] = budgets({ callsMax: 1, windowMs: 10_000 }, { waitMsMax: 60_000, pauseMsMax: 60_000 });
    await budget.take(aCall());
    const leaving = new AbortController();
    const aborted = expect(budget.take(aCall({ signal: leaving.signal }))).rejects.toThrow();
    leaving.abort(new Error('gone'));
    await aborted;
    await expect(budget.take(aCall({ signal: leaving.signal }))).rejects.toThrow('gone');
  });

  it('fails with SERVICE_UNAVAILABLE while the database is unavailable, and works again afterwards', async () => {
    const [budget] = budgets({ callsMax: 2, windowMs: longWindowMs });
    await budget.take(aCall());
    await server.setUnavailable(true);
    await expect(budget.take(aCall())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.setUnavailable(false);
    await eventually(() => budget.take(aCall()));
  });
});

describe('a budget without a limit', () => {
  it('serves every call at once', async () => {
    const budget = createProviderBudget({ database: running.databases[0], name: 'a provider', windowMs: 1_000 });
    await Promise.all(Array.from({ length: 100 }, () => budget.take(aCall())));
    expect(budget.left()).toBeUndefined();
    expect(await server.asAdmin('select name from budgets_test.provider_budgets')).toEqual([]);
  });
});
