import { once } from 'node:events';
import { createServer } from 'node:net';
import { CannotStart, reasonOf } from './data-folder/index.js';

export type WantedPort = {
  readonly host: string;
  readonly port: number;
  /** Whether a person asked for exactly this one. */
  readonly isGiven: boolean;
};

/** How many of the following ports are tried when nobody asked for a certain one. */
const portsTriedMax = 50;
const portMax = 65_535;

/** A port that is free now: the wanted one, any one for 0, or, when nobody asked for a certain one, one of the next. */
export async function choosePort({ host, port, isGiven }: WantedPort): Promise<number> {
  const last = isGiven ? port : Math.min(port + portsTriedMax, portMax);
  for (let candidate = port; candidate <= last; candidate += 1) {
    const outcome = await probePort(host, candidate);
    if ('port' in outcome) return outcome.port;
    if (isGiven || outcome.reason !== 'EADDRINUSE') throw new CannotStart(portRefusal(candidate, outcome.reason));
  }
  throw new CannotStart(`The ports ${port} to ${last} are all taken: choose a free one, for example with PORT=9000 npm start.`);
}

/** What to say when a port cannot be had. */
function portRefusal(port: number, reason: string): string {
  const why = reason === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${reason})`;
  const other = port === 9_000 ? 9_001 : 9_000;
  return `Port ${port} ${why}: stop what uses it, or choose another one, for example with PORT=${other} npm start.`;
}

async function probePort(host: string, port: number): Promise<{ readonly port: number } | { readonly reason: string }> {
  const probe = createServer();
  try {
    probe.listen({ host, port });
    await once(probe, 'listening');
  } catch (error) {
    return { reason: reasonOf(error) };
  }
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  return { port: typeof address === 'object' && address !== null ? address.port : port };
}

/** An address that can be opened: listening on every address is no address. */
export function urlTo(host: string, port: number): string {
  const reachable = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
}
