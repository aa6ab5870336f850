export type Print = (text: string) => void;
export type Progress = (fact: string) => void;

/** Standard output, for the person who started the program; what happens afterwards goes to the log. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line per step, with the seconds since the start. */
export function createProgress(print: Print): Progress {
  return (fact) => print(`${secondsSince(0).padStart(6)} s  ${fact}`);
}

/** The clock of this process begins when it does, so that loading the program counts too. */
export function secondsSince(beginMs: number): string {
  return ((performance.now() - beginMs) / 1_000).toFixed(1);
}
