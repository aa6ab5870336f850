/** How a process starts, stays ready and ends. Parts register what must be stopped; the last one registered stops first. */
export type Lifecycle = {
  readonly onStop: (name: string, stop: () => Promise<void>) => void;
  /** Keeps a promise nobody awaits: its failure is logged, and stopping waits for it. */
  readonly background: (name: string, work: Promise<unknown>) => void;
  /** Aborted when stopping begins: pass it to whatever can be asked to stop. */
  readonly signal: AbortSignal;
  /** Stops everything in reverse order within the time limit. Safe to call twice. */
  readonly stop: (reason: string) => Promise<void>;
};
