import { printError } from './command/run-command.js';
import { isOperatorCommand, operatorCommands, type OperatorCommand } from './operator/commands.js';

/** The program of the operator image: `operator <command> [arguments]` runs the file that `npm run <command>` runs on a machine. */
const usage = `operator <command> [arguments], where <command> is one of ${Object.keys(operatorCommands).join(', ')}
docs/operations/operator-commands.md says what each of them does and needs.`;

const [command = ''] = process.argv.slice(2);
if (command === '--help') console.log(usage);
else if (isOperatorCommand(command)) await run(command);
else process.exitCode = printError(usage);

/** A command reads its own arguments from the second place on, and starts when its file is loaded. */
async function run(name: OperatorCommand): Promise<void> {
  process.argv.splice(2, 1);
  await operatorCommands[name]();
}
