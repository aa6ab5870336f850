/** This clock is the same for all processes of a machine. */
export function nowMark(): string {
  return process.hrtime.bigint().toString();
}

const nanosecondsPerMs = 1_000_000;

export function msSince(mark: string): number {
  return Number(process.hrtime.bigint() - BigInt(mark)) / nanosecondsPerMs;
}

/** The field of an event that carries the time of its publication. */
export const markField = '"closedAt":"';
