import { currencies } from '@holdfast/kernel/money';
import type { Job, ServiceRuntime } from '@holdfast/service-host';
import type { Deps } from './use-cases/ports.js';

const measuredEveryMs = 15_000;

export function measureCasesJob({ metrics }: Pick<ServiceRuntime, 'metrics'>, deps: Pick<Deps, 'cases'>): Job {
  const open = metrics.gauge('reconciliation_cases_open', 'Unresolved reconciliation cases', ['currency']);
  return {
    name: 'measure-cases',
    everyMs: measuredEveryMs,
    run: async () => {
      const counts = new Map((await deps.cases.countUnresolved()).map(({ currency, count }) => [currency, count]));
      for (const currency of currencies) open.set({ currency }, counts.get(currency) ?? 0);
    },
  };
}
