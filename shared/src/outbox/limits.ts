export type RelayLimits = {
  /** How long the process that committed a row has it to itself. After that any replica may publish it. */
  readonly sweepAfterMs: number;
  readonly sweepEveryMs: number;
  readonly sweepRowsMax: number;
  /** How long a sweeper has a row to itself. */
  readonly leaseMs: number;
  /** How long a row rests that a sweeper could not publish. */
  readonly retryAfterMs: number;
  /** Messages handed over and not yet published. Beyond it they are left to the sweeper. */
  readonly messagesInMemoryMax: number;
  readonly drainTimeoutMs: number;
};

export const defaultLimits: RelayLimits = {
  sweepAfterMs: 5_000,
  sweepEveryMs: 1_000,
  sweepRowsMax: 100,
  leaseMs: 30_000,
  retryAfterMs: 5_000,
  messagesInMemoryMax: 20_000,
  drainTimeoutMs: 5_000,
};
