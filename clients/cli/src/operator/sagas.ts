import type { Command } from 'commander';
import { CannotStart } from '@holdfast/all-in-one/commands';
import { example, outputOf, type Context } from '../context.js';
import { onStderr } from '../on-stderr.js';
import { loadTools } from './load-tools.js';

type ResolveFlags = {
  readonly as: string;
  readonly by: string;
  readonly evidence: string;
  readonly transaction?: string;
  readonly contract?: string;
};

export function addSagas(program: Command, context: Context): void {
  const sagas = program.command('sagas').description('open saga runs of orders and payments');
  example(sagas.command('list').description('list open runs, oldest first'), 'holdfast sagas list').action(
    async (_options, command: Command) => {
      const output = outputOf(command);
      const { listRuns, textOfRuns } = await loadTools();
      const runs = await listRuns();
      if (output.isJson) output.list(runs);
      else output.line(textOfRuns(runs));
    },
  );
  example(sagas.command('show').argument('<run>').description('show one open run'), 'holdfast sagas show run_…').action(
    async (id: string, _options, command: Command) => {
      const { listRuns } = await loadTools();
      const run = (await listRuns()).find((each) => each.id === id);
      if (run === undefined) throw new CannotStart(`${id} is not an open saga run; "holdfast sagas list" shows them.`);
      outputOf(command).record(run);
    },
  );
  addRedrive(sagas, context);
  addResolve(sagas, context);
}

function addRedrive(sagas: Command, context: Context): void {
  const redrive = sagas.command('redrive').argument('<run>').description('resend the command that a run waits for');
  example(redrive, 'holdfast sagas redrive run_…').action(async (id: string, _options, command: Command) => {
    const { redriveRun, redriveSaga } = await loadTools();
    const output = outputOf(command);
    if (!output.isJson) {
      context.setExitCode(await redriveSaga(id));
      return;
    }
    const resent = await redriveRun(id);
    if (resent === undefined) throw new CannotStart(`${id} is not an open saga run; "holdfast sagas list" shows them.`);
    output.record({ id, ...resent });
  });
}

function addResolve(sagas: Command, context: Context): void {
  const resolve = sagas
    .command('resolve')
    .argument('<id>', 'a run, or a top-up, withdrawal or reconciliation case')
    .description('end a run that cannot end by itself, as a named person has decided; the books are checked before and after')
    .requiredOption('--as <outcome>', 'succeeded or failed')
    .requiredOption('--by <name>', 'the person who decides; the audit log names them')
    .requiredOption('--evidence <text>', 'how this person knows the outcome')
    .option('--transaction <hash>', 'the transaction on the ledger network that proves a success')
    .option('--contract <id>', 'for a deployment, its contract');
  example(
    resolve,
    'holdfast sagas resolve run_… --as failed --by "Ada" --evidence "The contract holds nothing."',
    'HOLDFAST_API_KEY=… holdfast sagas resolve wd_… --as succeeded --by "Ada" --evidence "The bank confirmed it."',
  ).action(async (id: string, flags: ResolveFlags, command: Command) => {
    const { checkResolveOptions, resolveAny } = await loadTools();
    const { as: outcome, transaction: transactionHash, contract: contractId, by, evidence } = flags;
    const proof = {
      ...(transactionHash === undefined ? {} : { transactionHash }),
      ...(contractId === undefined ? {} : { contractId }),
    };
    const options = checkResolveOptions({ id, outcome, by, evidence, ...proof });
    if (typeof options === 'string') return command.error(`error: ${options}`);
    const output = outputOf(command);
    const code = await (output.isJson ? onStderr(() => resolveAny(options)) : resolveAny(options));
    if (output.isJson) output.record({ id, isDone: code === 0 });
    context.setExitCode(code);
  });
}
