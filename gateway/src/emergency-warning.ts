import type { Job } from '@holdfast/work';
import type { Identity } from './identity.js';

/** Shows the emergency stop in /health/detailed. */
export type EmergencyWarning = {
  readonly warnings: () => readonly string[];
  readonly refresh: () => Promise<void>;
  readonly job: Job;
};

const everyMs = 5_000;
const warning =
  'the emergency stop is on: nothing is signed and no payout is requested until it is resumed; new requests for it get PLATFORM_STOPPED';

/** Polls identity in the background. While it does not respond, what was last known is shown. */
export function createEmergencyWarning({ isEmergencyStopped }: Pick<Identity, 'isEmergencyStopped'>): EmergencyWarning {
  let isStopped = false;
  const refresh = async (): Promise<void> => {
    isStopped = await isEmergencyStopped().catch(() => isStopped);
  };
  return {
    warnings: () => (isStopped ? [warning] : []),
    refresh,
    job: { name: 'read-emergency-stop', everyMs, run: refresh },
  };
}
