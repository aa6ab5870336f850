import { createSpendingCap } from '@holdfast/intents/provider-controls';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { spendingCaps } from './metrics.js';
import type { TransactionDeps } from './transactions/session.js';

const unitsPerWhole = 10_000_000n;

/** Limits what the treasury pays within an hour into contracts, to withdrawals and for fees; each asset counts on its own. */
export function treasurySpending(
  { database, metrics, log }: Pick<ServiceRuntime, 'database' | 'metrics' | 'log'>,
  tokensPerHourMax: number | undefined,
): TransactionDeps['beginSpending'] {
  const unitsMax = tokensPerHourMax === undefined ? undefined : BigInt(tokensPerHourMax) * unitsPerWhole;
  const capOf = (name: string) => createSpendingCap({ database, metrics, log, name, unitsMax });
  const caps = { USDC: capOf(spendingCaps.USDC), XLM: capOf(spendingCaps.XLM) };
  return (cause, { asset, units }) => caps[asset].begin(cause, units);
}
