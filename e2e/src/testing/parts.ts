import { eventually } from '@holdfast/testing/eventually';
import { freePort } from '@holdfast/testing/servers';
import { endAfter } from './installation.js';
import { startProgram, type Program } from './program.js';

/** One part of the platform in its own process. */
export type RunningPart = Program & { readonly url: string; readonly metricsUrl: string };

const readyTimeoutMs = 110_000;

/** Resolves once the part is ready. */
export async function startPart(name: string, variables: Readonly<Record<string, string>>): Promise<RunningPart> {
  const [port, metricsPort] = [await freePort(), await freePort()];
  const ports = { HOST: '127.0.0.1', PORT: port.toString(), METRICS_PORT: metricsPort.toString() };
  const program = startProgram('service', { ...variables, ...ports }, name);
  const addresses = { url: `http://127.0.0.1:${port}`, metricsUrl: `http://127.0.0.1:${metricsPort}` };
  return whenReady({ ...program, ...addresses });
}

async function whenReady(part: RunningPart): Promise<RunningPart> {
  const isReady = async (): Promise<void> => expect(await statusOf(`${part.metricsUrl}/readyz`)).toBe(200);
  await eventually(isReady, { timeoutMs: readyTimeoutMs }).catch(() =>
    endAfter(part, new Error(`it was never ready:\n${part.output()}`)),
  );
  return part;
}

export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.text();
  return response.status;
}
