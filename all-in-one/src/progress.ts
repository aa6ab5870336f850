export type Print = (text: string) => void;
export type Progress = (fact: string) => void;

/** Standard output is for the person who starts the program; everything after the start goes to the log. */
export function printLine(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** One line per step, with the seconds since the start. */
export function createProgress(print: Print): Progress {
  return (fact) => print(`${secondsSince(0).padStart(6)} s  ${fact}`);
}

/** `performance.now()` starts with the process, so the time includes loading the program. */
export function secondsSince(beginMs: number): string {
  return ((performance.now() - beginMs) / 1_000).toFixed(1);
}
