import { spawn } from 'node:child_process';
import { once } from 'node:events';

type RunningTool = {
  /** Ends the server and resolves when it has ended. */
  readonly stop: () => Promise<void>;
};

/** Ends the server when the standard input is closed, which the kernel does when this process ends in any way. */
const guardianScript = '"$@" </dev/null & server=$!; cat >/dev/null; kill "$server"; wait "$server"';

/** Starts a server of a package, such as Prometheus, that never outlives this process. */
export function startTool(command: readonly string[]): RunningTool {
  const guardian = spawn('/bin/sh', ['-c', guardianScript, 'holdfast-tool', ...command], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(guardian, 'close');
  return {
    stop: async () => {
      guardian.stdin.end();
      await ended;
    },
  };
}
