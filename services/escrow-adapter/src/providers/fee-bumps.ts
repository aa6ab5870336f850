import { createFeeBumps, type FeeBumps, type FeeBumpsDeps } from '@holdfast/ledger-network/fee-bumps';
import type { ServiceRuntime } from '@holdfast/service-host';
import type { Settings } from '../config.js';
import { feeBumpMetrics } from '../metrics.js';

export function feeBumpsOf(
  runtime: ServiceRuntime<Settings>,
  given: Pick<FeeBumpsDeps, 'rpc' | 'signFeeBump' | 'beginSpending'>,
): FeeBumps {
  const { config, clock, log } = runtime;
  const networkPassphrase = config.LEDGER_NETWORK_PASSPHRASE;
  const bidUnitsMax = BigInt(config.LEDGER_FEE_BID_MAX);
  return createFeeBumps({ ...given, ...feeBumpMetrics(runtime), networkPassphrase, bidUnitsMax, clock, log });
}
