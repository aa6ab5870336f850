import { runProgram } from './run-program.js';
import { startAllInOne } from './start-all-in-one.js';

export async function runAllInOne(): Promise<void> {
  await runProgram({
    mode: 'all-in-one',
    stopTimes: ({ shutdownDelayMs, shutdownTimeoutMs }) => ({ delayMs: shutdownDelayMs, stopTimeoutMs: shutdownTimeoutMs }),
    start: startAllInOne,
  });
}
