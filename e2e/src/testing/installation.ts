import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@holdfast/testing/servers';
import { startInTerminal, startProgram, type Program } from './program.js';

/** An all-in-one or distributed start that has shown its banner. */
export type RunningInstallation = Program & {
  readonly baseUrl: string;
  readonly masterKey: string;
  /** Where the metrics of all-in-one are, or the metrics of the first gateway. */
  readonly metricsUrl: string;
  readonly buyerId: string;
  /** Of the console, as printed. Empty where it is switched off. */
  readonly consoleUrl: string;
  /** Empty on given outside systems. */
  readonly sandboxUrl: string;
  /** The command as it was printed. */
  readonly curl: string;
};

export function newDataDir(): string {
  return mkdtempSync(path.join(tmpdir(), 'holdfast-e2e-'));
}

type Variables = Readonly<Record<string, string>>;

export function startAllInOne(dataDir: string, settings: Variables = {}): Promise<RunningInstallation> {
  return start('allInOne', dataDir, settings);
}

export function startDistributed(dataDir: string, settings: Variables): Promise<RunningInstallation> {
  return start('distributed', dataDir, settings);
}

async function start(program: 'allInOne' | 'distributed', dataDir: string, settings: Variables): Promise<RunningInstallation> {
  return readBanner(startProgram(program, { ...(await placeOf(dataDir)), ...settings }));
}

/** As a person does: `npm start` or `npm run start:distributed`. A signal to it is a signal to everything in its terminal. */
export async function startWithNpm(
  script: 'start' | 'start:distributed',
  dataDir: string,
  settings: Variables = {},
): Promise<RunningInstallation> {
  return readBanner(startInTerminal(script, { ...(await placeOf(dataDir)), ...settings }));
}

async function placeOf(dataDir: string): Promise<Variables> {
  return { HOLDFAST_DATA_DIR: dataDir, PORT: (await freePort()).toString(), SANDBOX_PORT: (await freePort()).toString() };
}

/** Waits for the banner and takes from it what a person would. A program that does not show it is ended. */
export async function readBanner(program: Program, timeoutMs?: number): Promise<RunningInstallation> {
  const text = await program
    .prints(/curl [^]*'\{"amount":"25\.00"\}'\n/, timeoutMs)
    .catch((error: unknown) => endAfter(program, error));
  return {
    ...program,
    pid: Number(find(text, /"kill (\d+)"/)), // of the platform itself, which npm may have started
    baseUrl: find(text, /^ +API +(\S+)$/m),
    masterKey: find(text, /^ +Key +(\S+)$/m),
    metricsUrl: find(text, /^ +Metrics +(\S+)/m),
    buyerId: find(text, /^ +Demo +buyer +(\S+)$/m),
    consoleUrl: /^ +Console +(\S+)$/m.exec(text)?.[1] ?? '',
    sandboxUrl: /^ +Sandbox +(\S+) /m.exec(text)?.[1] ?? '',
    curl: find(text, /(curl [^]*'\{"amount":"25\.00"\}')/),
  };
}

/** A caller that could not start it has no handle to stop it with. */
export async function endAfter(program: Program, error: unknown): Promise<never> {
  program.signal('SIGKILL');
  await program.ended;
  throw error;
}

function find(text: string, pattern: RegExp): string {
  const found = pattern.exec(text)?.[1];
  if (found === undefined) throw new Error(`there is no ${String(pattern)} in:\n${text}`);
  return found;
}
