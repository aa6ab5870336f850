import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Finds free ports on 127.0.0.1. All probes are open at the same time, so that the ports differ. */
export async function findFreePorts(count: number): Promise<readonly number[]> {
  const probes = await Promise.all(Array.from({ length: count }, openProbe));
  const ports = probes.map(portOf);
  await Promise.all(probes.map(closeProbe));
  return ports;
}

export async function findFreePort(): Promise<number> {
  const [port] = await findFreePorts(1);
  if (port === undefined) throw new Error('No free port was found.');
  return port;
}

async function openProbe(): Promise<Server> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  return probe;
}

function portOf(probe: Server): number {
  const address = probe.address();
  if (address === null || typeof address === 'string') throw new Error('The probe has no port.');
  return address.port;
}

async function closeProbe(probe: Server): Promise<void> {
  probe.close();
  await once(probe, 'close');
}
