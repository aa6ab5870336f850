import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createTcpServer, type Server } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { markField, msSince } from '../stream/mark.js';
import { receiverTask, type ReceiverReport, type ReceiverTask } from './tasks.js';

/** All receivers of webhooks in one process: each endpoint has its own path, and one has a port that never responds. */
const pollMs = 2;
let received = new Set<string>();
let repeated = 0;
let latenciesMs: number[] = [];

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    take(request, Buffer.concat(chunks).toString('latin1'));
    response.writeHead(204).end();
  });
});
const dead = createTcpServer((socket) => socket.on('error', () => undefined).resume());

process.on('message', (message) => {
  perform(receiverTask.parse(message)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once('disconnect', () => process.exit(0));
process.send?.({ port: await listen(server), deadPort: await listen(dead) });

async function listen(one: Server): Promise<number> {
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
  const address = one.address();
  if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
  return address.port;
}

function take({ url = '', headers }: IncomingMessage, body: string): void {
  const webhook = `${url} ${String(headers['webhook-id'])}`;
  if (received.has(webhook)) repeated += 1;
  received.add(webhook);
  const from = body.indexOf(markField);
  const mark = body.slice(from + markField.length, body.indexOf('"', from + markField.length));
  // Events that were appended by the benchmark have a date there.
  if (/^\d+$/.test(mark)) latenciesMs.push(msSince(mark));
}

async function perform(task: ReceiverTask): Promise<ReceiverReport> {
  if (task.kind === 'begin') {
    [received, repeated, latenciesMs] = [new Set(), 0, []];
    return { received: 0, repeated, latenciesMs };
  }
  const deadline = performance.now() + task.timeoutMs;
  while (received.size < task.count && performance.now() < deadline) await pause(pollMs);
  return { received: received.size, repeated, latenciesMs };
}
