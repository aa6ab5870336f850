import { serviceNames } from '@holdfast/contracts/services';
import { printError, runCommand } from './command/run-command.js';
import { listParkedAndPrint, redriveAndPrint, unknownService } from './parked/parked-messages.js';

/** `npm run parked -- list [service]` and `npm run parked -- redrive <service> [id…]`: the messages that wait for an operator. */
const usage = [
  'npm run parked -- list [service]             shows the parked messages',
  'npm run parked -- redrive <service> [id ...] sends them back to the service, all of them or the named ones',
].join('\n');

await runCommand(run);

async function run([command, named, ...ids]: readonly string[]): Promise<number> {
  if (command === 'list') return listParkedAndPrint(named);
  if (command !== 'redrive' || named === undefined) return printError(usage);
  const service = serviceNames.find((name) => name === named);
  return service === undefined ? printError(unknownService(named)) : redriveAndPrint(service, ids);
}
