import { readCommandSettings, readRestoredMark, restoredNotice } from '@holdfast/all-in-one/commands';
import { getEmergencyStop, setEmergencyStop, type EmergencyStopView } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { processEnvironment } from '@holdfast/process/config';
import { callContext, onService } from './command/on-service.js';
import { printError, runCommand } from './command/run-command.js';
import { parseEmergencyOptions, type EmergencyOptions } from './emergency/parse-options.js';

/** `npm run emergency -- stop`, `resume` and `status`: the emergency stop of signing and payouts. */
const usage = [
  'npm run emergency -- stop --by <name> --reason <text>     stops signing and payouts everywhere; what was begun waits, new requests get 503',
  'npm run emergency -- resume --by <name> --reason <text>   lets them go on',
  'npm run emergency -- status                               shows whether it is on, since when and why',
].join('\n');

await runCommand(run);

async function run(args: readonly string[]): Promise<number> {
  const options = parseEmergencyOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  const restored = readRestoredMark(readCommandSettings(processEnvironment()).holdfastDataDir);
  if (restored !== undefined && options.command === 'resume') return printError(restoredNotice(restored));
  console.log(textOf(await onService('emergency', 'identity', (identity) => execute(identity, options))));
  return 0;
}

function execute(identity: ServiceClient, options: EmergencyOptions): Promise<EmergencyStopView> {
  if (options.command === 'status') return identity.call(getEmergencyStop, {}, callContext);
  const { by, reason } = options;
  return identity.call(setEmergencyStop, { body: { isStopped: options.command === 'stop', by, reason } }, callContext);
}

function textOf({ isStopped, isStoppedBySetting, changedAt, changedBy, reason }: EmergencyStopView): string {
  const state = isStopped ? 'STOPPED: nothing is signed and no payout is requested.' : 'RUNNING: the emergency stop is off.';
  const change = changedAt === null ? [] : [`Last changed by ${changedBy ?? ''} at ${changedAt}: ${reason ?? ''}`];
  const setting = isStoppedBySetting ? ['EMERGENCY_STOP is set: it holds until the services restart without it.'] : [];
  return [state, ...change, ...setting].join('\n');
}
