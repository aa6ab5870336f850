import type { SpendingCapView } from '@holdfast/contracts/http';
import { createSpendingCap } from '@holdfast/intents/provider-controls';
import type { Spent } from '@holdfast/ledger-network/values';
import type { ServiceRuntime } from '@holdfast/service-kit';
import { spendingCaps } from '../../metrics.js';

/** Counts what the treasury spends. Throws IntentPaused where it would exceed its spending cap. */
export type BeginSpending = (cause: string, spent: Spent) => Promise<void>;

const unitsPerWhole = 10_000_000n;

export type TreasurySpending = {
  readonly beginSpending: BeginSpending;
  /** The caps as an operator sees them. */
  readonly describeCaps: () => Promise<SpendingCapView[]>;
};

/** Limits what the treasury pays within an hour into contracts, to withdrawals and for fees; each asset counts on its own. */
export function treasurySpending(
  { database, metrics, log }: Pick<ServiceRuntime, 'database' | 'metrics' | 'log'>,
  tokensPerHourMax: number | undefined,
): TreasurySpending {
  const unitsMax = tokensPerHourMax === undefined ? undefined : BigInt(tokensPerHourMax) * unitsPerWhole;
  const capOf = (name: string) => createSpendingCap({ database, metrics, log, name, unitsMax });
  const caps = { USDC: capOf(spendingCaps.USDC), XLM: capOf(spendingCaps.XLM) };
  return {
    beginSpending: (cause, { asset, units }) => caps[asset].begin(cause, units),
    describeCaps: () => Promise.all([caps.USDC.describe(), caps.XLM.describe()]),
  };
}
