/** Prints the text when this process exits: after the log lines of its stop, where a person looks first. */
export function printLast(text: string): void {
  // The log was made earlier and writes what it still holds on the same event, so it comes before.
  process.once('exit', () => process.stderr.write(`${text}\n`));
}
