import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { settlesWithin } from '@holdfast/kernel/async';
import { processEnvironment, type Environment } from '@holdfast/process/config';
import { eventually } from '@holdfast/testing/eventually';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** The same file from the sources and from the built output. */
const endWithParent = new URL('../../src/testing/end-with-parent.mjs', import.meta.url).href;

/** The files and what the npm scripts of these names put behind them. */
export const programs = {
  holdfast: 'dist/holdfast.js',
  allInOne: 'dist/all-in-one.js',
  distributed: 'dist/distributed.js',
  service: 'dist/service.js',
  migrate: 'dist/migrate.js',
  verifyLedger: 'dist/holdfast.js verify ledger',
  verifyAudit: 'dist/holdfast.js verify audit',
  rotateWalletKeys: 'dist/rotate-wallet-keys.js',
  parked: 'dist/holdfast.js parked',
  sagas: 'dist/holdfast.js sagas',
  emergency: 'dist/holdfast.js emergency',
  demo: 'dist/demo.js',
  reset: 'dist/reset.js',
  backup: 'dist/backup.js',
  restore: 'dist/restore.js',
} as const;

export type Program = {
  readonly pid: number;
  /** Everything it has printed, on both outputs, in order. */
  readonly output: () => string;
  /** Resolves once it has printed this; fails at once when it has ended without. */
  readonly prints: (text: string | RegExp, timeoutMs?: number) => Promise<string>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** The log lines about messages that were parked since the last call; a test calls it for those it expects. */
  readonly takeParked: () => readonly string[];
  /** The exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
};

/** Long enough for a busy machine. */
const printTimeoutMs = 110_000;
/** How long the output of a killed program may take to end. */
const closeMsMax = 10_000;
const running = new Set<ChildProcess>();
/** All programs since the last `killLeftPrograms`, also those that have ended. */
const started = new Set<Pick<Program, 'takeParked'>>();

/** Starts one of the built programs as a person would, in a directory with its own settings. It ends with this process. */
export function startProgram(program: keyof typeof programs, environment: Environment, ...args: readonly string[]): Program {
  return watch(spawnJoined([process.execPath, '--import', endWithParent, ...programs[program].split(' '), ...args], environment));
}

/**
 * Starts an npm command as in a terminal. `signal` is sent to its whole process group, as a terminal does on Ctrl-C, and npm forwards it to
 * the program once more.
 */
export function startInTerminal(script: string, environment: Environment): Program {
  const command = ['npm', 'run', script];
  const child = spawnJoined(command, { ...environment, NODE_OPTIONS: `--import ${endWithParent}` }, { detached: true });
  const program = watch(child);
  return { ...program, signal: (name) => void process.kill(-program.pid, name) };
}

/** Both outputs are one stream, as on a terminal, so that their lines stay in order. */
function spawnJoined(command: readonly string[], environment: Environment, options: { readonly detached?: true } = {}) {
  return spawn('/bin/sh', ['-c', 'exec "$@" 2>&1', 'sh', ...command], {
    ...options,
    cwd: root,
    env: { ...ownEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function watch(child: ReturnType<typeof spawnJoined>): Program {
  running.add(child);
  const chunks: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk));
  const output = (): string => chunks.join('');
  const ended = once(child, 'close').then(() => {
    running.delete(child);
    return child.exitCode ?? child.signalCode;
  });
  const takeParked = parkedLines(output);
  started.add({ takeParked });
  return {
    pid: child.pid ?? 0,
    output,
    ended,
    prints: printsOf(child, output),
    signal: (name) => void child.kill(name),
    takeParked,
  };
}

const parkedFact = 'message parked';

function parkedLines(output: () => string): Program['takeParked'] {
  let taken = 0;
  return () => {
    const lines = output()
      .split('\n')
      .filter((line) => line.includes(parkedFact))
      .slice(taken);
    taken += lines.length;
    return lines;
  };
}

/** Runs it to its end. */
export async function runProgram(
  program: keyof typeof programs,
  environment: Environment,
  ...args: readonly string[]
): Promise<{ readonly code: number | NodeJS.Signals | null; readonly output: string }> {
  const run = startProgram(program, environment, ...args);
  return { code: await run.ended, output: run.output() };
}

/** For `afterEach`: ends what a failed test has left running. Fails when a program has parked messages that no test has taken. */
export async function killLeftPrograms(): Promise<void> {
  await Promise.all(
    [...running].map(async (child) => {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      // A process that it has started may keep its output open.
      if (!(await settlesWithin(closed, closeMsMax))) child.stdout?.destroy();
    }),
  );
  const parked = [...started].flatMap(({ takeParked }) => takeParked());
  started.clear();
  if (parked.length > 0) throw new Error(`messages were parked; a test that expects them takes them:\n${parked.join('\n')}`);
}

/** The environment of the test run, without what would change the programs under test. */
function ownEnvironment(): Environment {
  const { DATABASE_URL: _database, AMQP_URL: _amqp, PORT: _port, ...rest } = processEnvironment();
  return { ...rest, RATE_LIMIT_MAX: '0', NODE_ENV: 'test' };
}

function printsOf(child: ChildProcess, output: () => string): Program['prints'] {
  return async (text, timeoutMs = printTimeoutMs) => {
    const hasPrinted = (): boolean => (typeof text === 'string' ? output().includes(text) : text.test(output()));
    await eventually(
      () => {
        if (hasPrinted() || child.exitCode !== null || child.signalCode !== null) return;
        throw new Error(`it has not printed ${String(text)}, but:\n${output()}`);
      },
      { timeoutMs },
    );
    if (!hasPrinted()) throw new Error(`it ended without printing ${String(text)}, but:\n${output()}`);
    return output();
  };
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
