/** The shutdown of a process in two phases. Parts register their `stop`; the last one registered stops first. */
export type Lifecycle = {
  readonly onStop: (name: string, stop: () => Promise<void>) => void;
  /** Tracks a promise that is not awaited: its error is logged, and `stop` waits for it. */
  readonly background: (name: string, work: Promise<unknown>) => void;
  /** The first phase: the process is no longer ready, so that new requests go elsewhere, but still serves everything. */
  readonly announceStop: (reason: string) => void;
  /** Aborted when the stop is announced. */
  readonly stopAnnounced: AbortSignal;
  /** Aborted when `stop` is called. Pass it to every operation that can be cancelled. */
  readonly signal: AbortSignal;
  /** How long open requests may take to end when an HTTP server stops; the rest of the time is for the other parts. */
  readonly drainTimeoutMs: number;
  /** How long requests may wait on for a saga or a provider once `signal` is aborted; shorter, so that they get their response. */
  readonly stopGraceMs: number;
  /** The second phase: stops every part in reverse order within the time limit. Idempotent. */
  readonly stop: (reason: string) => Promise<void>;
};
