import { type BudgetCall } from './provider-budget.js';
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

const budgets = (window: Window): TwoBudgets => running.of(window);

describe('an order', () => {
  const window = { callsMax: 50, windowMs: longWindowMs };
  const orderCalls = 6;
  const first = (orderId: string): BudgetCall => ({ key: `${orderId} deploy`, orderId, priority: 2, callsOfOrder: orderCalls });
  const later = (orderId: string, step: number): BudgetCall => ({ key: `${orderId} ${step}`, orderId, priority: 1 });

  it('is admitted only if all its calls can be made, and then does not wait', async () => {
    const both = budgets(window);
    const orders = Array.from({ length: 30 }, (_, index) => `order ${index}`);
    const admitted = [];
    for (const [index, order] of orders.entries())
      if (await isTaken(both[index % 2 === 0 ? 0 : 1], first(order))) admitted.push(order);
    expect(admitted).toHaveLength(Math.floor(window.callsMax / orderCalls));
    for (const order of admitted)
      for (let step = 1; step < orderCalls; step += 1) expect(await isTaken(both[1], later(order, step))).toBe(true);
  });

  it('is admitted when those before it have not used their calls and tokens are refilled', async () => {
    const [budget] = budgets(window);
    for (let order = 0; order < 8; order += 1) await budget.take(first(`order ${order}`));
    expect(await isTaken(budget, first('next'))).toBe(false);
    await refill(server, 4, window);
    expect(await isTaken(budget, first('next'))).toBe(true);
  });

  it('that is large is not overtaken by smaller ones', async () => {
    const [budget] = budgets(window);
    const large = { ...first('large'), callsOfOrder: 20 };
    for (let order = 0; order < 6; order += 1) await budget.take(first(`order ${order}`));
    expect(await isTaken(budget, large)).toBe(false);
    expect(await isTaken(budget, first('small'))).toBe(false);
    await refill(server, 6, window);
    expect(await isTaken(budget, first('small'))).toBe(false);
    expect(await isTaken(budget, large)).toBe(true);
  });

  it('needs at most half of the bucket', async () => {
    const [budget] = budgets(window);
    expect(await isTaken(budget, { ...first('huge'), callsOfOrder: 150 })).toBe(true);
    expect(await isTaken(budget, { ...first('second'), callsOfOrder: 25 })).toBe(true);
    expect(await isTaken(budget, { ...first('third'), callsOfOrder: 1 })).toBe(false);
  });

  it('that repeats its first call is not admitted twice', async () => {
    const [budget] = budgets({ callsMax: 12, windowMs: longWindowMs });
    await budget.take(first('one'));
    await budget.take(first('other'));
    expect(await isTaken(budget, first('one'))).toBe(true);
  });

  it('loses its commitment one window after its last call', async () => {
    const [budget] = budgets({ callsMax: 12, windowMs: longWindowMs });
    await budget.take(first('abandoned'));
    await budget.take(first('alive'));
    expect(await isTaken(budget, first('next'))).toBe(false);
    await server.asAdmin(
      `update budgets_test.provider_commitments set expires_at = now() - interval '1 second' where order_id = 'abandoned'`,
    );
    expect(await isTaken(budget, first('next'))).toBe(false);
    await refill(server, 1, { callsMax: 12, windowMs: longWindowMs });
    expect(await isTaken(budget, first('next'))).toBe(true);
  });

  it('leaves room for settlements of older orders, which need no admission', async () => {
    const [budget] = budgets({ callsMax: 12, windowMs: longWindowMs });
    await budget.take(first('one'));
    await budget.take(first('other'));
    expect(await isTaken(budget, aCall({ priority: 0, orderId: 'older' }))).toBe(true);
  });
});
