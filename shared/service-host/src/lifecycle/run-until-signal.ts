import type { Log } from '@holdfast/kernel/context';
import type { Lifecycle } from './lifecycle.js';

const exitOk = 0;
const exitFault = 1;
const exitOnSecondSignal = 130;

/**
 * Binds a process to its lifecycle, for main files: the first SIGTERM or SIGINT stops it and exits with 0, the second exits at once.
 * An uncaught exception or unhandled rejection is logged, stops the process and exits with 1.
 */
export function runUntilSignal({ lifecycle, log }: { readonly lifecycle: Lifecycle; readonly log: Log }): void {
  let exitCode: number | undefined;

  const stopAndExit = (reason: string, code: number): void => {
    if (exitCode !== undefined) {
      exitCode = Math.max(exitCode, code);
      return;
    }
    exitCode = code;
    lifecycle.stop(reason).then(
      () => process.exit(exitCode),
      () => process.exit(exitFault),
    );
  };

  const onSignal = (signal: NodeJS.Signals): void => {
    if (exitCode !== undefined) process.exit(exitOnSecondSignal);
    stopAndExit(signal, exitOk);
  };
  const onFault = (fact: string) => (error: unknown) => {
    log.error({ error }, fact);
    stopAndExit(fact, exitFault);
  };

  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', onFault('uncaught exception'));
  process.on('unhandledRejection', onFault('unhandled rejection'));
}
