import type { EmergencyStopView } from '@holdfast/contracts/http';
import type { EmergencyStop } from '../domain/emergency-stop.js';

export function viewOfStop(stop: EmergencyStop, isStoppedBySetting: boolean): EmergencyStopView {
  const { isStopped, changedAt, changedBy, reason } = stop;
  return { isStopped: isStopped || isStoppedBySetting, isStoppedBySetting, changedAt, changedBy, reason };
}
