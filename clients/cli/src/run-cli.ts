import { systemClock } from '@holdfast/kernel/context';
import type { Environment } from '@holdfast/process/config';
import { onStopSignal } from '@holdfast/process/lifecycle';
import { exitCodes, toFailure } from './failure.js';
import { createProgram } from './program.js';
import { versionRemark } from './version-remark.js';

/** Runs a command line to its end. The result is the exit code. */
export async function runCli(args: readonly string[], env: Environment): Promise<number> {
  let exitCode: number = exitCodes.done;
  const stopping = new AbortController();
  const program = createProgram({
    env,
    clock: systemClock(),
    setExitCode: (code) => void (exitCode = code),
    stopSignal: () => {
      onStopSignal(() => {
        // The abort makes an error that is never printed. To find its lines in the sources would take longer than the rest of the end.
        process.setSourceMapsEnabled(false);
        stopping.abort();
      });
      return stopping.signal;
    },
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (stopping.signal.aborted) return exitCodes.done;
    const failure = toFailure(error);
    const { json: isJson } = program.opts<{ json?: boolean }>();
    if (isJson === true) console.error(JSON.stringify({ error: failure.error }));
    else if (failure.text !== '') console.error([failure.text, ...(await versionRemark(error, program, env))].join('\n'));
    return failure.exitCode;
  } finally {
    // One Ctrl-C may arrive twice (see onStopSignal). A process that ends by itself stops listening before it is gone, and would be killed.
    if (stopping.signal.aborted) process.exit(exitCodes.done);
  }
}
