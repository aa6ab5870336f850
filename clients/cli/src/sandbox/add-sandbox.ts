import type { Command } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { example, outputOf, type Context } from '../context.js';
import { findSandbox } from '../find-platform.js';
import { parseCount } from '../parse.js';
import { clientOf } from '../resources/client.js';
import { sandboxAt, type SandboxControl } from './control.js';

type SandboxFlags = { readonly sandbox?: string };

/** The sandbox that the command names. */
export function sandboxOf(context: Context, command: Command): SandboxControl {
  return sandboxAt(findSandbox(command.optsWithGlobals<SandboxFlags>().sandbox, context.env));
}

export function addSandbox(program: Command, context: Context): void {
  const sandbox = program
    .command('sandbox')
    .description('control the simulated providers and the simulated ledger network')
    .option(
      '--sandbox <url>',
      'the address of the sandbox; by default HOLDFAST_SANDBOX, or the sandbox of the platform on the data folder',
    );
  addFaults(sandbox, context);
  addConfirm(sandbox, context);
  addFaucet(sandbox, context);
}

type FaultFlags = { readonly operation?: string; readonly times?: number; readonly latencyMs?: number };

function addFaults(sandbox: Command, context: Context): void {
  const faults = sandbox.command('faults').description('faults of the simulated systems');
  example(faults.command('list', { isDefault: true }).description('list the faults'), 'holdfast sandbox faults').action(
    async (_options, command: Command) => {
      const found = await sandboxOf(context, command)('GET', '/faults');
      const output = outputOf(command);
      if (Array.isArray(found)) output.list(found);
      else output.record(found);
    },
  );
  const add = faults
    .command('add')
    .argument('<target>', 'escrow-provider, ledger-network or payment-provider')
    .argument('<kind>', 'such as latency, error-before-effect or timeout-after-effect; sandbox/README.md lists them')
    .description('add a fault')
    .option('--operation <name>', 'only this operation; by default all')
    .option('--times <number>', 'how often it strikes; by default until you clear it', parseCount)
    .option('--latency-ms <number>', 'for the kinds that wait', parseCount);
  example(add, 'holdfast sandbox faults add escrow-provider error-before-effect --operation fund --times 1').action(
    async (target: string, kind: string, { operation, times, latencyMs }: FaultFlags, command: Command) =>
      outputOf(command).record(
        await sandboxOf(context, command)('POST', '/faults', { target, kind, operation, times, latencyMs }),
      ),
  );
  example(faults.command('clear').description('delete all faults'), 'holdfast sandbox faults clear').action(
    async (_options, command: Command) => {
      await sandboxOf(context, command)('DELETE', '/faults');
      outputOf(command).record({ isCleared: true });
    },
  );
}

function addConfirm(sandbox: Command, context: Context): void {
  const confirm = sandbox
    .command('confirm')
    .argument('<id>', 'a top-up or a withdrawal')
    .description('pay a top-up as its payer does, or complete the payout of a withdrawal');
  example(confirm, 'holdfast sandbox confirm topup_…', 'holdfast sandbox confirm wd_…').action(
    async (id: string, _options, command: Command) => {
      const control = sandboxOf(context, command);
      const client = await clientOf(context, command);
      if (id.startsWith('topup_')) {
        const { providerPayinId } = await client.topups.get(id);
        await confirmPayin(control, providerPayinId);
        outputOf(command).record(await client.topups.refresh(id));
        return;
      }
      if (!id.startsWith('wd_')) command.error(`error: "${id}" is neither a top-up (topup_…) nor a withdrawal (wd_…).`);
      const { providerPayoutId } = await client.withdrawals.get(id);
      await completePayout(control, providerPayoutId);
      outputOf(command).record(await client.withdrawals.refresh(id));
    },
  );
}

export async function confirmPayin(control: SandboxControl, id: string | null): Promise<void> {
  if (id === null) throw new CannotStart('The payment provider does not know this top-up yet: try again in a moment.');
  await control('POST', `/payins/${id}/confirm`);
}

export async function completePayout(control: SandboxControl, id: string | null): Promise<void> {
  if (id === null)
    throw new CannotStart('The payment provider does not know this withdrawal yet: commit it first, or try again in a moment.');
  await control('POST', `/payouts/${id}/complete`);
}

type FaucetFlags = { readonly asset: string; readonly amount: string };

function addFaucet(sandbox: Command, context: Context): void {
  const faucet = sandbox
    .command('faucet')
    .argument('<to>', 'an address on the ledger network, or a user, whose wallet it is')
    .description('send assets of the simulated ledger network')
    .option('--asset <code>', 'XLM or USDC', 'XLM')
    .option('--amount <amount>', 'how much', '10');
  example(faucet, 'holdfast sandbox faucet usr_… --asset XLM --amount 10').action(
    async (to: string, { asset, amount }: FaucetFlags, command: Command) => {
      const control = sandboxOf(context, command);
      const address = to.startsWith('usr_') ? (await (await clientOf(context, command)).wallets.get(to)).publicKey : to;
      await control('POST', '/faucet', { address, asset, amount });
      outputOf(command).record({ address, asset, amount });
    },
  );
}
