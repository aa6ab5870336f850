import type { Command } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { serviceNames } from '@holdfast/contracts/services';
import { example, outputOf, type Context } from '../context.js';
import { loadTools } from './load-tools.js';

export function addParked(program: Command, context: Context): void {
  const parked = program.command('parked').description('messages that wait for an operator');
  const list = parked
    .command('list', { isDefault: true })
    .argument('[service]')
    .description('list parked messages, of one service or of all');
  example(list, 'holdfast parked', 'holdfast parked list ledger-balance').action(
    async (named: string | undefined, _options, command: Command) => {
      const { listParked, listParkedAndPrint, onInstallation, unknownService } = await loadTools();
      const output = outputOf(command);
      if (!output.isJson) {
        context.setExitCode(await listParkedAndPrint(named));
        return;
      }
      const services = serviceNames.filter((name) => named === undefined || name === named);
      if (services.length === 0) throw new CannotStart(unknownService(named ?? ''));
      output.list(await onInstallation((installation) => listParked(installation, services), output.note));
    },
  );
  const redrive = parked
    .command('redrive')
    .argument('<service>')
    .argument('[ids...]')
    .description('send parked messages back to their service, all of them or the named ones');
  example(redrive, 'holdfast parked redrive ledger-balance').action(
    async (named: string, ids: readonly string[], _options, command: Command) => {
      const { onInstallation, redriveMessages, redriveParked, unknownService } = await loadTools();
      const output = outputOf(command);
      const service = serviceNames.find((name) => name === named);
      if (service === undefined) throw new CannotStart(unknownService(named));
      if (!output.isJson) {
        context.setExitCode(await redriveParked(service, ids));
        return;
      }
      const count = await onInstallation((installation) => redriveMessages(installation, service, ids), output.note);
      output.record({ service, count });
    },
  );
}
