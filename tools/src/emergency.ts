import { printError, runCommand } from './command/run-command.js';
import { emergencyStop, textOfStop } from './emergency/emergency-stop.js';
import { parseEmergencyOptions } from './emergency/parse-options.js';

/** `npm run emergency -- stop`, `resume` and `status`: the emergency stop of signing and payouts. */
const usage = [
  'npm run emergency -- stop --by <name> --reason <text>     stops signing and payouts everywhere; what was begun waits, new requests get 503',
  'npm run emergency -- resume --by <name> --reason <text>   lets them resume',
  'npm run emergency -- status                               shows whether it is on, since when and why',
].join('\n');

await runCommand(run);

async function run(args: readonly string[]): Promise<number> {
  const options = parseEmergencyOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  const state = await emergencyStop(options);
  if (typeof state === 'string') return printError(state);
  console.log(textOfStop(state));
  return 0;
}
