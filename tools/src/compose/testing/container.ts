import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';

/** A process that runs from the files of its image and nothing else. */
export type Container = {
  readonly name: string;
  readonly output: () => string;
  /** Resolves once it is ready and its own health check agrees; fails at once when it has ended. */
  readonly ready: () => Promise<void>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

export type ContainerOptions = {
  readonly name: string;
  /** The folder with the files of its image. */
  readonly image: string;
  /** All variables that it sees: a container inherits none. */
  readonly environment: Readonly<Record<string, string>>;
};

const readyTimeoutMs = 110_000;

export function startContainer(options: ContainerOptions, command: readonly string[]): Container {
  const child = run(options, command);
  const chunks: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const output = (): string => chunks.join('');
  const ended = once(child, 'close').then(() => child.exitCode ?? child.signalCode);
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const readyUrl = `http://127.0.0.1:${options.environment['METRICS_PORT'] ?? ''}/readyz`;
  const ready = async (): Promise<void> => {
    await eventually(
      async () => {
        if (isRunning() && !(await responds(readyUrl))) throw new Error(`${options.name} is not ready:\n${output()}`);
      },
      { timeoutMs: readyTimeoutMs },
    );
    if (!isRunning()) throw new Error(`${options.name} has ended:\n${output()}`);
    await checkHealth(options);
  };
  return { name: options.name, output, ready, ended, signal: (signal) => void child.kill(signal) };
}

async function responds(url: string): Promise<boolean> {
  const response = await fetch(url).catch(() => undefined);
  await response?.text();
  return response?.ok === true;
}

/** As an engine calls it: a program beside the process, in the same image. */
async function checkHealth(options: ContainerOptions): Promise<void> {
  const check = run(options, ['healthcheck.mjs', '/readyz']);
  await once(check, 'close');
  if (check.exitCode !== 0) throw new Error(`the health check of ${options.name} failed with ${String(check.exitCode)}`);
}

function run({ image, environment }: ContainerOptions, command: readonly string[]) {
  const [program = '', ...args] = command;
  return spawn(process.execPath, [path.join(image, program), ...args], {
    cwd: image,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
