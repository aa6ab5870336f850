import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { endAfter } from './installation.js';
import { startProgram, type Program } from './program.js';

/** The gateway or a service in its own process. */
export type PlatformProcess = Program & { readonly url: string; readonly metricsUrl: string };

const readyTimeoutMs = 110_000;

/** Resolves once it is ready. */
export async function startPlatformProcess(name: string, variables: Readonly<Record<string, string>>): Promise<PlatformProcess> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const ports = { HOST: '127.0.0.1', PORT: port.toString(), METRICS_PORT: metricsPort.toString() };
  const program = startProgram('service', { ...variables, ...ports }, name);
  const addresses = { url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}` };
  return whenReady({ ...program, ...addresses });
}

async function whenReady(started: PlatformProcess): Promise<PlatformProcess> {
  const isReady = async (): Promise<void> => expect(await statusOf(`${started.metricsUrl}/readyz`)).toBe(200);
  await eventually(isReady, { timeoutMs: readyTimeoutMs }).catch(() =>
    endAfter(started, new Error(`it was never ready:\n${started.output()}`)),
  );
  return started;
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.text();
  return response.status;
}
