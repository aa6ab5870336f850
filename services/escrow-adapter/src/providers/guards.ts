import { createEmergencyStop, type EmergencyStop } from '@holdfast/intents/provider-controls';
import { createLeases, type Leases } from '@holdfast/intents/leases';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { treasurySpending, type TreasurySpending } from './treasury/treasury-spending.js';

/** What every signature and payment passes first. */
export type Guards = TreasurySpending & {
  /** Of source accounts. */
  readonly leases: Leases;
  readonly emergencyStop: EmergencyStop;
};

/** `isUsedByOthers` says it of a source account; see `LeasesOptions`. */
export function createGuards(runtime: ServiceRuntime<Settings>, isUsedByOthers: string): Guards {
  const { config, lifecycle } = runtime;
  const leases = createLeases({ ...runtime, isUsedByOthers });
  lifecycle.onStop('leases of source accounts', leases.stop);
  const isStoppedBySetting = config.EMERGENCY_STOP;
  const emergencyStop = createEmergencyStop({ ...runtime, service: 'escrow-adapter', isStoppedBySetting });
  return { leases, emergencyStop, ...treasurySpending(runtime, config.TREASURY_SPENDING_PER_HOUR_MAX) };
}
