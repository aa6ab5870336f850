const exitOnSecondSignal = 130;

/**
 * One Ctrl-C arrives twice: a terminal sends SIGINT to every process of its foreground group, and npm, which is one of them, forwards it
 * to its child. So a signal within this time of the first one is the same.
 */
const sameSignalMs = 1_000;

/** Calls `stop` on the first SIGTERM or SIGINT. The second one exits at once, without a drain. */
export function onStopSignal(stop: (signal: NodeJS.Signals) => void): void {
  let firstAtMs: number | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (firstAtMs !== undefined) {
      if (performance.now() - firstAtMs > sameSignalMs) process.exit(exitOnSecondSignal);
      return;
    }
    firstAtMs = performance.now();
    stop(signal);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
