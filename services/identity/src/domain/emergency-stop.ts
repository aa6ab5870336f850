import type { Instant } from '@holdfast/kernel/context';

/** Whether a person has stopped signing and payouts on the whole platform. */
export type EmergencyStop = {
  readonly isStopped: boolean;
  /** Counts the changes. */
  readonly version: number;
  readonly changedAt: Instant | null;
  readonly changedBy: string | null;
  readonly reason: string | null;
};

/** `changedBy` of the stop that a restore leaves behind. */
export const restoredBy = 'restore';

export type EmergencyStopChange = {
  readonly isStopped: boolean;
  readonly by: string;
  readonly reason: string;
  readonly at: Instant;
};

/** Undefined where it is as requested already. */
export function changed(stop: EmergencyStop, { isStopped, by, reason, at }: EmergencyStopChange): EmergencyStop | undefined {
  if (stop.isStopped === isStopped) return undefined;
  return { isStopped, version: stop.version + 1, changedAt: at, changedBy: by, reason };
}
