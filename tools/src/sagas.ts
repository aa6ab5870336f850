import { asCalled, printError, runCommand } from './command/run-command.js';
import { parseResolveOptions } from './sagas/resolve-options.js';
import { listRuns, redriveAndPrint, resolveAny, textOfRuns } from './sagas/runs.js';

/** `npm run sagas -- list`, `redrive <run>` and `resolve <run>`: the open saga runs of orders and payments. */
const usage = [
  'npm run sagas -- list            lists open saga runs, oldest first',
  'npm run sagas -- redrive <run>   resends the command that a run waits for',
  'npm run sagas -- resolve <run> --as succeeded|failed --by <name> --evidence <text> [--transaction <hash>] [--contract <id>]',
  '                                 ends a run that cannot end by itself, as a named person has decided. It is audited, and the',
  '                                 books are checked before and after. "succeeded" needs the transaction on the ledger network',
  '                                 that proves it, and for a deployment the contract. Above SAGA_RESOLVE_APPROVAL_AMOUNT a second',
  '                                 person confirms with the same command and their own name.',
  'HOLDFAST_API_KEY=… npm run sagas -- resolve <run, top-up, withdrawal or case> --as succeeded|failed --by <name> --evidence <text>',
  '                                 the same for payments. The payment provider, or the ledger network with --transaction, must prove',
  '                                 the outcome. The API key needs the scope support; above SAGA_RESOLVE_APPROVAL_AMOUNT a second',
  '                                 person confirms with the same command and another API key.',
].join('\n');

await runCommand(run);

async function run([command, ...args]: readonly string[]): Promise<number> {
  if (command === '--help') {
    console.log(asCalled(usage));
    return 0;
  }
  if (command === 'list') {
    console.log(textOfRuns(await listRuns()));
    return 0;
  }
  const [runId] = args;
  if (command === 'redrive' && runId !== undefined) return redriveAndPrint(runId);
  if (command !== 'resolve') return printError(usage);
  const options = parseResolveOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  return resolveAny(options);
}
