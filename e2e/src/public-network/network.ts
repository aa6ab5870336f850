import { sandboxVariables } from '@holdfast/testing/sandbox';
import { freePort } from '@holdfast/testing/servers';
import { eventually } from '@holdfast/testing/eventually';
import { sandboxControl, type SandboxControl } from '../faults/sandbox-control.js';
import { statusOf } from '../testing/platform-process.js';
import { startProgram, type Program } from '../testing/program.js';

/** How the network and the provider behave. */
export type Conditions = {
  readonly ledgerMs: number;
  readonly callsPerMinute: number;
  readonly indexLagMs: number;
};

/** A sandbox in its own process, which can die and is started again on its data. */
export type Network = {
  readonly url: string;
  readonly control: SandboxControl;
  /** The settings of a platform on this network. */
  readonly variables: Readonly<Record<string, string>>;
  /** Ends it with -9 and starts it again: what is in a closed ledger stays, transactions in the pool and faults are gone. */
  readonly killAndRestart: () => Promise<void>;
};

const readyTimeoutMs = 60_000;

export async function startNetwork(dataDir: string, conditions: Conditions): Promise<Network> {
  const port = (await freePort()).toString();
  const url = `http://127.0.0.1:${port}`;
  const settings = {
    SANDBOX_PORT: port,
    METRICS_PORT: '0',
    SANDBOX_DATA_DIR: `${dataDir}/network`,
    SANDBOX_LEDGER_MS: conditions.ledgerMs.toString(),
    SANDBOX_PROVIDER_CALLS_PER_MINUTE: conditions.callsPerMinute.toString(),
    SANDBOX_INDEX_LAG_MS: conditions.indexLagMs.toString(),
    LOG_LEVEL: 'warn',
  };
  const start = async (): Promise<Program> => {
    const program = startProgram('service', settings, 'sandbox');
    await eventually(async () => expect(await statusOf(`${url}/_sandbox/state`)).toBe(200), { timeoutMs: readyTimeoutMs });
    return program;
  };
  let running = await start();
  return {
    url,
    control: sandboxControl(url),
    variables: {
      ...(await sandboxVariables(url)),
      ESCROW_PROVIDER_CALLS_PER_MINUTE: conditions.callsPerMinute.toString(),
    },
    killAndRestart: async () => {
      running.signal('SIGKILL');
      await running.ended;
      running = await start();
    },
  };
}
