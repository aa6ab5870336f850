export type WorkQueue = { readonly add: (id: string) => void; readonly stop: () => void };

/** Runs the work for ids in order, with at most `inFlightMax` at a time. `run` handles its own errors. */
export function createWorkQueue(inFlightMax: number, run: (id: string) => Promise<void>): WorkQueue {
  const waiting: string[] = [];
  let inFlight = 0;
  let isStopped = false;

  const next = (): void => {
    const id = isStopped || inFlight >= inFlightMax ? undefined : waiting.shift();
    if (id === undefined) return;
    inFlight += 1;
    const finished = (): void => {
      inFlight -= 1;
      next();
    };
    run(id).then(finished, finished);
  };

  return {
    add: (id) => {
      waiting.push(id);
      next();
    },
    stop: () => {
      isStopped = true;
    },
  };
}
