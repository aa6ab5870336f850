import { expectTransfer } from '@holdfast/contracts/http';
import { callContext, onService } from './command/on-service.js';
import { asCalled, printError, runCommand } from './command/run-command.js';
import { parseExpectOptions } from './treasury/parse-options.js';

/** `npm run treasury -- expect`: announces a transfer that a person makes with the keys of the treasury. */
const usage = [
  'npm run treasury -- expect --to <address> --amount <amount> --by <name> --reason <text> [--asset USDC|XLM]',
  '                          announces a transfer out of the treasury or of the account of the platform, for seven days. It is',
  '                          audited. A transfer that was not announced is a case, and turns the emergency stop on.',
  '                          Above TREASURY_TRANSFER_APPROVAL_AMOUNT a second person confirms with the same command and',
  '                          their own name.',
].join('\n');

await runCommand(run);

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === '--help') {
    console.log(asCalled(usage));
    return 0;
  }
  const options = parseExpectOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  const { status, announcedBy } = await onService('treasury', 'escrow-adapter', (adapter) =>
    adapter.call(expectTransfer, { body: options }, callContext),
  );
  const what = `${options.amount} ${options.asset} to ${options.to}`;
  console.log(
    status === 'EXPECTED'
      ? `EXPECTED: ${what}. Make the transfer within seven days.`
      : `WAITS for a second person: ${announcedBy} has announced ${what}. Another person confirms with the same command.`,
  );
  return 0;
}
