import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { markField, msSince } from './mark.js';
import { subscriberTask, type SubscriberReport, type SubscriberTask } from './tasks.js';

/** A process full of subscribers. They speak HTTP themselves: a client library would take more time than what it measures. */
type Subscriber = { readonly socket: Socket; received: number; rest: string };

let subscribers: Subscriber[] = [];
let latenciesMs: number[] = [];
const pollMs = 2;
const openAtOnce = 200;
const openTimeoutMs = 170_000;

process.on('message', (message) => {
  perform(subscriberTask.parse(message)).then(
    (report) => process.send?.(report),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function perform(task: SubscriberTask): Promise<SubscriberReport> {
  const readyMs = task.kind === 'open' ? await open(task) : [];
  if (task.kind === 'begin') forget();
  if (task.kind === 'collect') await untilReceived(task.events, task.timeoutMs);
  const received = subscribers.reduce((sum, subscriber) => sum + subscriber.received, 0);
  if (task.kind === 'close') close();
  return { received, latenciesMs: task.kind === 'collect' ? latenciesMs : [], readyMs };
}

function forget(): void {
  latenciesMs = [];
  for (const subscriber of subscribers) subscriber.received = 0;
}

function close(): void {
  for (const { socket } of subscribers) socket.destroy();
  subscribers = [];
}

async function open({ url, headers, count, awaits }: Extract<SubscriberTask, { kind: 'open' }>): Promise<number[]> {
  const begunAt = performance.now();
  forget();
  const ready: Promise<number>[] = [];
  for (let opened = 0; opened < count; opened += openAtOnce) {
    const some = Array.from({ length: Math.min(openAtOnce, count - opened) }, () => openOne(new URL(url), headers, awaits));
    ready.push(...some.map(async (one) => one.then(() => performance.now() - begunAt)));
    // A listen queue has an end; those who wait for a replay are all to be there at once.
    if (awaits === 0) await Promise.all(some);
  }
  const timeUp = pause(openTimeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`not all of ${count} subscribers were served in time`);
  });
  return Promise.race([Promise.all(ready), timeUp]);
}

function openOne(url: URL, headers: Readonly<Record<string, string>>, awaits: number): Promise<void> {
  const lines = Object.entries({ host: url.host, accept: 'text/event-stream', ...headers });
  const head = [`GET ${url.pathname}${url.search} HTTP/1.1`, ...lines.map(([name, value]) => `${name}: ${value}`)];
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  const subscriber: Subscriber = { socket, received: 0, rest: '' };
  subscribers.push(subscriber);
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    let isOpen = false;
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (!isOpen && !text.startsWith('HTTP/1.1 200')) reject(new Error(text.slice(0, 200)));
      isOpen = true;
      take(subscriber, text);
      if (subscriber.received >= awaits) resolve();
    });
  });
}

const markLengthMax = 24;

/** Finds the marks, wherever the bytes were cut. */
function take(subscriber: Subscriber, piece: string): void {
  const text = subscriber.rest + piece;
  let from = 0;
  for (;;) {
    const at = text.indexOf(markField, from);
    if (at === -1) break;
    const begin = at + markField.length;
    const end = text.indexOf('"', begin);
    if (end === -1) {
      from = at;
      break;
    }
    latenciesMs.push(msSince(text.slice(begin, end)));
    subscriber.received += 1;
    from = end;
  }
  subscriber.rest = text.slice(Math.max(from, text.length - markField.length - markLengthMax));
}

async function untilReceived(events: number, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline && subscribers.some(({ received }) => received < events)) await pause(pollMs);
}
