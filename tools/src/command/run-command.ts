import path from 'node:path';
import { explain } from '@holdfast/all-in-one/commands';

/** Runs a command. Its result is the exit code; an error is explained on stderr, and the exit code is 1. */
export async function runCommand(command: (args: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    process.exitCode = printError(explain(error));
  }
}

/** Prints the text to stderr and returns the exit code 1. */
export function printError(text: string): number {
  console.error(asCalled(text));
  return 1;
}

/** Names commands as the person has called them: `npm run sagas -- list`, or `operator sagas list` in the operator image. */
export function asCalled(text: string, program = process.argv[1] ?? ''): string {
  if (path.basename(program) !== 'operator.js') return text;
  return text.replaceAll(/npm run ([\w:-]+)(?: --(?= |$))?/gm, 'operator $1');
}
