/** The shutdown of a process. Parts register their `stop`; the last one registered stops first. */
export type Lifecycle = {
  readonly onStop: (name: string, stop: () => Promise<void>) => void;
  /** Tracks a promise that is not awaited: its error is logged, and `stop` waits for it. */
  readonly background: (name: string, work: Promise<unknown>) => void;
  /** Aborted when `stop` is called. Pass it to every operation that can be cancelled. */
  readonly signal: AbortSignal;
  /** Stops every part in reverse order within the time limit. Idempotent. */
  readonly stop: (reason: string) => Promise<void>;
};
