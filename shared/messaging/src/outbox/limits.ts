export type RelayLimits = {
  /** How long only the process that committed a row publishes it. After that the sweeper of any replica may. */
  readonly sweepAfterMs: number;
  /** The longest time between two sweeps. A row that a dead process has just committed is found after it. */
  readonly sweepEveryMs: number;
  readonly sweepRowsMax: number;
  /** The duration of a sweeper's lease on a row. */
  readonly leaseMs: number;
  /** How long a row is postponed that a sweeper could not publish. */
  readonly retryAfterMs: number;
  /** When a message that was not acknowledged is published again. Doubles with each time. */
  readonly resendAfterMs: number;
  readonly resendAfterMsMax: number;
  /** The maximum number of unpublished messages in memory. Further ones are left to the sweeper. */
  readonly messagesInMemoryMax: number;
  /**
   * Published rows are deleted in batches at this interval. If the process crashes before, a sweeper publishes the rows again. Far
   * below `sweepAfterMs`, so that sweepers do not find the rows of a running process.
   */
  readonly deleteEveryMs: number;
  readonly drainTimeoutMs: number;
};

export const defaultLimits: RelayLimits = {
  sweepAfterMs: 5_000,
  sweepEveryMs: 8_000,
  sweepRowsMax: 100,
  leaseMs: 30_000,
  retryAfterMs: 5_000,
  resendAfterMs: 30_000,
  resendAfterMsMax: 600_000,
  messagesInMemoryMax: 20_000,
  deleteEveryMs: 1_000,
  drainTimeoutMs: 5_000,
};
