import { explain } from '@holdfast/all-in-one';

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
  console.error(text);
  return 1;
}
