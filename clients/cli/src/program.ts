import { Command } from 'commander';
import { productVersion } from '@holdfast/all-in-one/commands';
import { addCompletion } from './add-completion.js';
import { addEvents } from './add-events.js';
import { addStatements } from './add-statements.js';
import type { Context } from './context.js';
import { addDoctor } from './doctor/add-doctor.js';
import { addListen } from './listen/add-listen.js';
import { addOperatorCommands } from './operator/add-operator-commands.js';
import { addResources } from './resources/add-resources.js';
import { addSandbox } from './sandbox/add-sandbox.js';
import { addTrigger } from './trigger/add-trigger.js';

/** The commands of `holdfast`. They inherit how errors and help are printed, so that comes first. */
export function createProgram(context: Context): Command {
  const program = new Command('holdfast')
    .description('Works with a Holdfast platform: its orders and payments, its events, its sandbox, and what operators need.')
    .version(productVersion)
    .option('--json', 'print JSON: an array for a list, else the record')
    .option('--api <url>', 'the address of the platform; by default HOLDFAST_API, or the platform that runs on the data folder')
    .option('--key <key>', 'the API key; HOLDFAST_KEY is safer, because a process list shows arguments')
    .option('--marketplace <id>', 'with the master key: the marketplace; by default mkt_default')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showHelpAfterError('Add --help for the options and an example.')
    .exitOverride();
  addListen(program, context);
  addTrigger(program, context);
  addEvents(program, context);
  addResources(program, context);
  addStatements(program, context);
  addOperatorCommands(program, context);
  addSandbox(program, context);
  addDoctor(program, context);
  addCompletion(program);
  return program;
}
