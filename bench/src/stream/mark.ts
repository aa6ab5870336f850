/** All processes of a machine read the same clock here, which no other clock promises. */
export function nowMark(): string {
  return process.hrtime.bigint().toString();
}

const nanosecondsPerMs = 1_000_000;

export function msSince(mark: string): number {
  return Number(process.hrtime.bigint() - BigInt(mark)) / nanosecondsPerMs;
}

/** The field of an event that carries the mark of when it was told. */
export const markField = '"closedAt":"';
