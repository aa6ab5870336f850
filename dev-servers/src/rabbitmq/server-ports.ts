import { connect } from 'node:net';
import { freePort } from '../network/index.js';
import type { ServerPorts } from './server-folder.js';

const probeTimeoutMs = 1_000;
const amqpProtocolHeader = Buffer.from([0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1]);

export async function findServerPorts(): Promise<ServerPorts> {
  return { amqp: await freePort(), distribution: await freePort(), epmd: await freePort() };
}

/** Whether a process listens on the port. */
export function isTcpOpen(port: number): Promise<boolean> {
  return probePort(port, undefined);
}

/** A broker that is ready responds to the AMQP protocol header with `connection.start`. */
export function isAmqpReady(port: number): Promise<boolean> {
  return probePort(port, amqpProtocolHeader);
}

function probePort(port: number, header: Buffer | undefined): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: probeTimeoutMs });
    const finish = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('error', () => finish(false));
    socket.once('timeout', () => finish(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => (header === undefined ? finish(true) : socket.write(header)));
    socket.once('data', (data) => finish(data[0] === 1)); // frame type 1: a method frame
  });
}
