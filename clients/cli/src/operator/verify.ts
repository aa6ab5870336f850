import type { Command } from 'commander';
import { exitCodes } from '../failure.js';
import { example, outputOf, type Context } from '../context.js';
import { loadTools } from './load-tools.js';

export function addVerify(program: Command, context: Context): void {
  const verify = program.command('verify').description('check the books and the audit trail, also when the platform is stopped');
  example(verify.command('ledger').description('check every rule of the ledger'), 'holdfast verify ledger').action(
    async (_options, command: Command) => {
      const { checkBooks, onInstallation, verifyBooks } = await loadTools();
      const output = outputOf(command);
      if (!output.isJson) {
        context.setExitCode(await onInstallation(verifyBooks));
        return;
      }
      const report = await onInstallation(checkBooks, output.note);
      output.record(report);
      context.setExitCode(report.isSound ? exitCodes.done : exitCodes.failed);
    },
  );
  const audit = verify.command('audit').description('check that the audit trail was not changed');
  example(audit, 'holdfast verify audit').action(async (_options, command: Command) => {
    const { checkChain, onInstallation, verifyChain } = await loadTools();
    const output = outputOf(command);
    if (!output.isJson) {
      context.setExitCode(await onInstallation(verifyChain));
      return;
    }
    const proof = await onInstallation(checkChain, output.note);
    output.record({ isSound: proof.firstBreak === null, ...proof });
    context.setExitCode(proof.firstBreak === null ? exitCodes.done : exitCodes.failed);
  });
}
