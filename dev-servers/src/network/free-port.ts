import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once, type EventEmitter } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux, macOS and Windows give to outgoing connections and to listeners on port 0. */
const firstPort = 20_000;
const portCount = 12_000;

/**
 * A port without a listener, for a process whose address must be known before it starts. It belongs to this process until that
 * ends: no other call returns it, in no process of this machine.
 */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const offset = randomInt(portCount);
  for (let tried = 0; tried < portCount; tried += 1) {
    const port = firstPort + ((offset + tried) % portCount);
    if (await claim(port, host)) return port;
  }
  throw new Error(`None of the ports ${firstPort} to ${firstPort + portCount - 1} is free.`);
}

/** A UDP socket with the same number is the claim: the kernel gives it to one process, and takes it back when that ends. */
async function claim(port: number, host: string): Promise<boolean> {
  const socket = createSocket('udp4');
  socket.bind({ port, address: '127.0.0.1', exclusive: true });
  if (!(await isListening(socket))) return false;
  socket.unref();
  const probe = createServer().listen({ port, host });
  if (await isListening(probe)) {
    probe.close();
    await once(probe, 'close');
    return true;
  }
  socket.close();
  return false;
}

/** False when the port is taken or reserved. */
async function isListening(listener: EventEmitter): Promise<boolean> {
  try {
    await once(listener, 'listening');
    return true;
  } catch (error) {
    if (isTaken(error)) return false;
    throw error;
  }
}

function isTaken(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && ['EADDRINUSE', 'EACCES'].includes(String(error.code));
}
