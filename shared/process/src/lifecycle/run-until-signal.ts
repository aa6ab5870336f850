import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '@holdfast/kernel/context';
import type { Lifecycle } from './lifecycle.js';
import { onStopSignal } from './on-stop-signal.js';

const exitOk = 0;
const exitFault = 1;

type Options = {
  readonly lifecycle: Lifecycle;
  readonly log: Log;
  /** How long the process still serves after the first signal, when its stop is announced. Default: it stops at once. */
  readonly delayMs?: number;
};

/**
 * Binds a process to its lifecycle, for main files: the first SIGTERM or SIGINT announces the stop, stops it after the delay and exits
 * with 0; the second exits at once. An uncaught exception or unhandled rejection is logged, stops the process without a delay and exits
 * with 1.
 */
export function runUntilSignal({ lifecycle, log, delayMs = 0 }: Options): void {
  let exitCode: number | undefined;

  const stopAndExit = (reason: string, code: number, afterMs: number): void => {
    if (exitCode !== undefined) {
      exitCode = Math.max(exitCode, code);
      return;
    }
    exitCode = code;
    announceAndStop(reason, afterMs).then(
      () => process.exit(exitCode),
      () => process.exit(exitFault),
    );
  };

  const announceAndStop = async (reason: string, afterMs: number): Promise<void> => {
    if (afterMs > 0) {
      lifecycle.announceStop(reason);
      log.info({ reason, delayMs: afterMs }, 'stop announced');
      await pause(afterMs);
    }
    await lifecycle.stop(reason);
  };

  const onFault = (fact: string) => (error: unknown) => {
    log.error({ error }, fact);
    stopAndExit(fact, exitFault, 0);
  };

  onStopSignal((signal) => stopAndExit(signal, exitOk, delayMs));
  process.on('uncaughtException', onFault('uncaught exception'));
  process.on('unhandledRejection', onFault('unhandled rejection'));
}
