import { explain } from '@holdfast/all-in-one';

/** The whole life of a command: what it returns is the exit code; when it fails, a person is told why, and it is 1. */
export async function runCommand(command: (args: readonly string[]) => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command(process.argv.slice(2));
  } catch (error) {
    process.exitCode = printError(explain(error));
  }
}

/** Says what is wrong, and that it is. */
export function printError(text: string): number {
  console.error(text);
  return 1;
}
