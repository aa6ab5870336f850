import { spawn, type ChildProcess } from 'node:child_process';
import { processEnvironment, sandboxPassphrase } from '@holdfast/process/config';
import { builtFile } from '@holdfast/testing/built-file';
import { freePort } from '@holdfast/testing/servers';
import type { Sandbox } from '../options.js';
import { clientOf, type RunningSandbox } from './running-sandbox.js';

const mainFile = builtFile(new URL('../main.ts', import.meta.url));

export type SandboxProcess = {
  readonly child: ChildProcess;
  readonly client: RunningSandbox;
  readonly kill: () => Promise<void>;
};

/** A sandbox in its own process, so that it can be killed. */
export async function spawnSandbox(env: Readonly<Record<string, string>>): Promise<SandboxProcess> {
  // A test uses its address also after it was killed.
  const { child, output } = spawnMain({ SANDBOX_PORT: String(await freePort()), METRICS_PORT: '0', ...env });
  const url = await readyUrl(child, output);
  const { network } = (await (await fetch(`${url}/_sandbox/state`)).json()) as State;
  const sandbox: Sandbox = {
    url,
    port: Number(new URL(url).port),
    horizonUrl: url,
    rpcUrl: `${url}/rpc`,
    escrowProviderUrl: `${url}/escrow-provider`,
    paymentProviderUrl: `${url}/payment-provider`,
    controlUrl: `${url}/_sandbox`,
    networkPassphrase: sandboxPassphrase,
    ...network,
    escrowApiKey: 'sandbox-escrow-key',
    paymentUser: 'sandbox',
    paymentPassword: 'sandbox',
    close: () => Promise.resolve(),
  };
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  };
  return { child, client: clientOf(sandbox), kill };
}

type State = {
  readonly network: Pick<Sandbox, 'usdcIssuer' | 'faucetAddress' | 'providerFeesAddress' | 'contractVersion' | 'contracts'>;
};

/** Kills all processes that a failed test has left running. */
export function killSpawned(): void {
  for (const child of spawned) child.kill('SIGKILL');
  spawned.clear();
}

const spawned = new Set<ChildProcess>();

export function spawnMain(env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [mainFile], {
    env: { ...processEnvironment(), NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  spawned.add(child);
  child.once('exit', () => spawned.delete(child));
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
  return { child, output: () => text };
}

function readyUrl(child: ChildProcess, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const check = (): void => {
      const url = /"url":"(http:[^"]+)"/.exec(output())?.[1];
      if (url !== undefined) resolve(url);
    };
    child.stdout?.on('data', check);
    child.once('exit', () => reject(new Error(`the sandbox process exited: ${output()}`)));
  });
}
