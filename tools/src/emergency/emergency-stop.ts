import { readCommandSettings, readRestoredMark, restoredNotice } from '@holdfast/all-in-one/commands';
import { getEmergencyStop, setEmergencyStop, type EmergencyStopView } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { processEnvironment } from '@holdfast/process/config';
import { callContext, onService } from '../command/on-service.js';
import type { EmergencyOptions } from './parse-options.js';

/** Shows or changes the emergency stop. A text is the reason why it was not changed. */
export async function emergencyStop(options: EmergencyOptions): Promise<EmergencyStopView | string> {
  const restored = readRestoredMark(readCommandSettings(processEnvironment()).holdfastDataDir);
  if (restored !== undefined && options.command === 'resume') return restoredNotice(restored);
  return onService('emergency', 'identity', (identity) => execute(identity, options));
}

function execute(identity: ServiceClient, options: EmergencyOptions): Promise<EmergencyStopView> {
  if (options.command === 'status') return identity.call(getEmergencyStop, {}, callContext);
  const { by, reason } = options;
  return identity.call(setEmergencyStop, { body: { isStopped: options.command === 'stop', by, reason } }, callContext);
}

export function textOfStop({ isStopped, isStoppedBySetting, changedAt, changedBy, reason }: EmergencyStopView): string {
  const state = isStopped ? 'STOPPED: nothing is signed and no payout is requested.' : 'RUNNING: the emergency stop is off.';
  const change = changedAt === null ? [] : [`Last changed by ${changedBy ?? ''} at ${changedAt}: ${reason ?? ''}`];
  const setting = isStoppedBySetting ? ['EMERGENCY_STOP is set: it holds until the services restart without it.'] : [];
  return [state, ...change, ...setting].join('\n');
}
