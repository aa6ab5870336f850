import { fork } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { processEnvironment } from '@holdfast/process/config';
import { sandboxVariables } from '@holdfast/testing/sandbox';
import { freePort } from '@holdfast/testing/servers';
import { isReady, stopChild } from '../servers/platform-process.js';
import { observeLedgers, type LedgerObserver } from './ledger-observer.js';
import { startProviderRecorder, type ProviderCall } from './provider-recorder.js';

/** A sandbox that behaves as the real systems do, in its own process. */
export type Network = {
  /** The settings of the platform on this network. */
  readonly variables: Readonly<Record<string, string>>;
  readonly calls: () => readonly ProviderCall[];
  readonly closedAt: LedgerObserver['closedAt'];
  /** From now on this share of the calls to provider and network fails without an effect. */
  readonly failSometimes: (probability: number) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type NetworkConditions = {
  readonly ledgerMs: number;
  readonly callsPerMinute: number;
  readonly indexLagMs: number;
};

const program = fileURLToPath(new URL('../../../dist/service.js', import.meta.url));
const readyTimeoutMs = 60_000;
const pollMs = 50;

export async function startNetwork(folder: string, conditions: NetworkConditions, now: () => number): Promise<Network> {
  const port = await freePort();
  const sandboxUrl = `http://127.0.0.1:${port.toString()}`;
  const log = openSync(path.join(folder, 'sandbox.log'), 'w');
  const child = fork(program, ['sandbox'], {
    env: { ...processEnvironment(), ...sandboxSettings(folder, conditions), SANDBOX_PORT: port.toString(), METRICS_PORT: '0' },
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  const deadline = performance.now() + readyTimeoutMs;
  while (!(await isReady(`${sandboxUrl}/_sandbox/state`))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('the sandbox did not become ready');
    await pause(pollMs);
  }
  const variables = await sandboxVariables(sandboxUrl);
  const recorder = await startProviderRecorder(`${sandboxUrl}/escrow-provider`, now);
  const ledgers = observeLedgers(`${sandboxUrl}/rpc`, now);
  return {
    variables: {
      ...variables,
      ESCROW_PROVIDER_URL: recorder.url,
      ESCROW_PROVIDER_CALLS_PER_MINUTE: conditions.callsPerMinute.toString(),
    },
    calls: recorder.calls,
    closedAt: ledgers.closedAt,
    failSometimes: (probability) => injectErrors(sandboxUrl, probability),
    stop: async () => {
      await ledgers.stop();
      await recorder.close();
      await stopChild(child);
    },
  };
}

/** Without the gateway's address it sends no webhooks, like the real provider. */
function sandboxSettings(folder: string, { ledgerMs, callsPerMinute, indexLagMs }: NetworkConditions): Record<string, string> {
  return {
    SANDBOX_DATA_DIR: path.join(folder, 'sandbox'),
    SANDBOX_LEDGER_MS: ledgerMs.toString(),
    SANDBOX_PROVIDER_CALLS_PER_MINUTE: callsPerMinute.toString(),
    SANDBOX_INDEX_LAG_MS: indexLagMs.toString(),
    LOG_LEVEL: 'warn',
  };
}

async function injectErrors(sandboxUrl: string, probability: number): Promise<void> {
  for (const target of ['escrow-provider', 'ledger-network']) {
    const response = await fetch(`${sandboxUrl}/_sandbox/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ target, kind: 'error-before-effect', probability }),
    });
    if (response.status !== 201) throw new Error(`the sandbox refused a fault: ${await response.text()}`);
  }
}
