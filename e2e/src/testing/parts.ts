import type { ServiceName } from '@holdfast/contracts/services';
import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { endAfter } from './installation.js';
import { startProgram, type Program } from './program.js';

/** One part of the platform in a process of its own. */
export type RunningPart = Program & { readonly url: string };

export type PartSettings = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly internalSecret: string;
  readonly masterKey: string;
};

const readyTimeoutMs = 110_000;

export async function startReplica(name: ServiceName, settings: PartSettings): Promise<RunningPart> {
  const port = await freePort();
  const program = startProgram('service', { ...variablesOf(settings), HOST: '127.0.0.1', PORT: port.toString() }, name);
  return whenReady(program, `http://127.0.0.1:${port}`, '/readyz');
}

export async function startGatewayTo(ledger: RunningPart, settings: PartSettings): Promise<RunningPart> {
  const ports = { PORT: (await freePort()).toString(), OPERATIONS_PORT: (await freePort()).toString() };
  const variables = { ...variablesOf(settings), ...ports, HOST: '127.0.0.1', LEDGER_BALANCE_URL: ledger.url };
  return whenReady(startProgram('service', variables, 'gateway'), `http://127.0.0.1:${ports.PORT}`, '/api/v1/health');
}

function variablesOf({ databaseUrl, amqpUrl, internalSecret, masterKey }: PartSettings): Record<string, string> {
  return { DATABASE_URL: databaseUrl, AMQP_URL: amqpUrl, INTERNAL_SECRET: internalSecret, MASTER_KEY: masterKey };
}

async function whenReady(program: Program, url: string, path: string): Promise<RunningPart> {
  await eventually(async () => expect(await statusOf(`${url}${path}`)).toBe(200), { timeoutMs: readyTimeoutMs }).catch(() =>
    endAfter(program, new Error(`it was never ready:\n${program.output()}`)),
  );
  return { ...program, url };
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.text();
  return response.status;
}
