export type RelayLimits = {
  /** How long the process that committed a row has it to itself. After that any replica may publish it. */
  readonly sweepAfterMs: number;
  /** While there is something to sweep, and soon after. */
  readonly sweepEveryMs: number;
  /** The pause grows up to this while nothing is found. */
  readonly sweepIdleMs: number;
  readonly sweepRowsMax: number;
  /** How long a sweeper has a row to itself. */
  readonly leaseMs: number;
  /** How long a row rests that a sweeper could not publish. */
  readonly retryAfterMs: number;
  /** Messages handed over and not yet published. Beyond it they are left to the sweeper. */
  readonly messagesInMemoryMax: number;
  /**
   * Published rows are deleted at most this often, many at once: nobody waits for it, and a process that dies before leaves
   * them to the sweepers, which tell them once more. Far below `sweepAfterMs`, lest that happens to the living.
   */
  readonly deleteEveryMs: number;
  readonly drainTimeoutMs: number;
};

export const defaultLimits: RelayLimits = {
  sweepAfterMs: 5_000,
  sweepEveryMs: 1_000,
  sweepIdleMs: 3_000,
  sweepRowsMax: 100,
  leaseMs: 30_000,
  retryAfterMs: 5_000,
  messagesInMemoryMax: 20_000,
  deleteEveryMs: 1_000,
  drainTimeoutMs: 5_000,
};
