import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '@holdfast/dev-servers/network';
import { CannotStart, reasonOf } from './data-folder/index.js';

export type WantedPort = {
  readonly host: string;
  readonly port: number;
  /** True where the setting names this port; false where it is a default. */
  readonly isGiven: boolean;
  /** The setting with which a person chooses another port. */
  readonly setting: 'PORT' | 'SANDBOX_PORT';
};

/** How many ports after a default one are tried. */
const portsTriedMax = 50;
const portMax = 65_535;

/** A port that is free now: the wanted one, any one for 0, or the next free one where the wanted port is a default. */
export async function choosePort({ host, port, isGiven, setting }: WantedPort): Promise<number> {
  if (port === 0) return freePort(host);
  const last = isGiven ? port : Math.min(port + portsTriedMax, portMax);
  for (let candidate = port; candidate <= last; candidate += 1) {
    const refusal = await probePort(host, candidate);
    if (refusal === undefined) return candidate;
    if (isGiven || refusal !== 'EADDRINUSE') throw new CannotStart(portRefusal({ port: candidate, setting }, refusal));
  }
  throw new CannotStart(
    `The ports ${port} to ${last} are all taken: choose a free one, for example with ${setting}=9000 npm start.`,
  );
}

function portRefusal({ port, setting }: Pick<WantedPort, 'port' | 'setting'>, reason: string): string {
  const why = reason === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${reason})`;
  const other = port === 9_000 ? 9_001 : 9_000;
  return `Port ${port} ${why}: stop what uses it, or choose another one, for example with ${setting}=${other} npm start.`;
}

/** Why a process cannot listen on the port now; undefined when it is free. */
async function probePort(host: string, port: number): Promise<string | undefined> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
  } catch (error) {
    return reasonOf(error);
  }
  probe.close();
  await once(probe, 'close');
  return undefined;
}

/** A URL that a client can open. A wildcard address can only be listened on, so it becomes the loopback address. */
export function urlTo(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
