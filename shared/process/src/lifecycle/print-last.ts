/** Prints the text when this process exits: after the log lines of its stop, where a person looks first. A synchronous log is always before it. */
export function printLast(text: string): void {
  // An asynchronous log was made earlier and writes what it still holds on the same event; only a line that is being written may come later.
  process.once('exit', () => process.stderr.write(`${text}\n`));
}
