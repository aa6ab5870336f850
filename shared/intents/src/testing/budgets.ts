import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createProviderBudget, type BudgetCall, type ProviderBudget, type BudgetLimits } from '../provider-controls/index.js';
import { intentsMigrations, IntentPaused } from '../index.js';

export type Window = { readonly callsMax: number; readonly windowMs: number };
export type TwoBudgets = readonly [ProviderBudget, ProviderBudget];

export const longWindowMs = 3_600_000;

/** Two processes with one database, and their budgets. Waiting calls live long, because a test may be slow. */
export async function startBudgets() {
  const server = await testDatabase();
  const open = () => server.open({ service: 'budgets-test', migrations: [intentsMigrations] });
  const [one, other] = [await open(), await open()];
  return {
    server,
    databases: [one, other] as const,
    of: (window: Window, limits: Partial<BudgetLimits> = {}, name = 'a provider'): TwoBudgets => {
      const options = { name, ...window, limits: { livesForMs: longWindowMs, ...limits } };
      return [createProviderBudget({ ...options, database: one }), createProviderBudget({ ...options, database: other })];
    },
    reset: () => server.asAdmin(`truncate ${tables.map((table) => `budgets_test.${table}`).join()}`),
  };
}

export type RunningBudgets = Awaited<ReturnType<typeof startBudgets>>;

const tables = ['provider_budgets', 'provider_calls_waiting', 'provider_calls_served', 'provider_commitments'];

let calls = 0;

export function aCall(given: Partial<BudgetCall> = {}): BudgetCall {
  calls += 1;
  return { key: `call ${calls}`, priority: 0, ...given };
}

/** Whether the call gets its token now. */
export async function isTaken(budget: ProviderBudget, call: BudgetCall): Promise<boolean> {
  try {
    await budget.take({ ...call, waitMsMax: 0 });
    return true;
  } catch (error) {
    if (error instanceof IntentPaused) return false;
    throw error;
  }
}

/** As if the time in which these tokens are refilled had passed. */
export async function refill(server: TestDatabase, tokens: number, { callsMax, windowMs }: Window): Promise<void> {
  await server.asAdmin('update budgets_test.provider_budgets set empty_at = empty_at - make_interval(secs => $1)', [
    (tokens * windowMs) / callsMax / 1_000,
  ]);
}
