import { expectTransfer, withdrawRemainingFunds } from '@holdfast/contracts/http';
import { callContext, onService } from './command/on-service.js';
import { asCalled, printError, runCommand } from './command/run-command.js';
import { parseCommand, type TreasuryCommand } from './treasury/parse-options.js';

const usage = [
  'npm run treasury -- expect --to <address> --amount <amount> --by <name> --reason <text> [--asset USDC|XLM]',
  '                          announces a transfer out of the treasury or of the platform account, for seven days. It is',
  '                          audited. A transfer that was not announced is a case, and turns the emergency stop on.',
  '                          Above TREASURY_TRANSFER_APPROVAL_AMOUNT a second person confirms with the same command and',
  '                          their own name.',
  'npm run treasury -- withdraw-remaining --order <id> --by <name> --reason <text>',
  '                          pays what strangers have paid into the contract of an order to the account of the platform. The contract',
  '                          must have paid out every milestone. Both fees are taken once more. It is audited.',
].join('\n');

await runCommand(run);

async function run(args: readonly string[]): Promise<number> {
  if (args[0] === '--help') {
    console.log(asCalled(usage));
    return 0;
  }
  const command = parseCommand(args);
  if (typeof command === 'string') return printError(`${command}\n\n${usage}`);
  console.log(await (command.does === 'expect' ? announce(command.options) : withdraw(command.options)));
  return 0;
}

type OptionsOf<Name extends TreasuryCommand['does']> = Extract<TreasuryCommand, { readonly does: Name }>['options'];

async function announce(options: OptionsOf<'expect'>): Promise<string> {
  const { status, announcedBy } = await onService('treasury', 'escrow-adapter', (adapter) =>
    adapter.call(expectTransfer, { body: options }, callContext),
  );
  const what = `${options.amount} ${options.asset} to ${options.to}`;
  return status === 'EXPECTED'
    ? `EXPECTED: ${what}. Make the transfer within seven days.`
    : `WAITS for a second person: ${announcedBy} has announced ${what}. Another person confirms with the same command.`;
}

async function withdraw({ order, ...body }: OptionsOf<'withdraw-remaining'>): Promise<string> {
  const { status, amount, asset } = await onService('treasury', 'escrow-adapter', (adapter) =>
    adapter.call(withdrawRemainingFunds, { params: { id: order }, body }, callContext),
  );
  switch (status) {
    case 'NOTHING_LEFT':
      return `NOTHING LEFT: the contract of ${order} is empty.`;
    case 'UNDER_WAY':
      return `UNDER WAY: a withdrawal from the contract of ${order} has not ended yet. It holds ${amount} ${asset}.`;
    case 'REQUESTED':
      return [
        `REQUESTED: ${amount} ${asset} go from the contract of ${order} to the account of the platform, less both fees.`,
        'The audit entry REMAINING_FUNDS_WITHDRAWN says how it ended. Say the same command again to see what is left.',
      ].join('\n');
  }
}
