import type { Broker } from '../../broker/index.js';
import { openNode, type CrashInstruction, type CrashPoint } from './messaging-node.js';

/** Tells one notice, listens, and dies by its own hand, as hard as kill -9 by another, at the point it was given. */
async function crashNode(order: CrashInstruction): Promise<void> {
  const node = await openNode(order, (broker) => crashingAt(order.crashPoint, broker));
  if (order.crashPoint === 'after handling, before ack') await node.consume(die);
  await node.publish(order.text);
  process.stdin.resume(); // the crash comes from elsewhere
}

function crashingAt(crashPoint: CrashPoint, broker: Broker): Broker {
  switch (crashPoint) {
    case 'after commit, before publish':
      return { ...broker, publish: async () => die() };
    case 'after publish, before mark':
      return { ...broker, publish: (envelopes) => broker.publish(envelopes).then(die) };
    case 'after handling, before ack':
      return broker;
  }
}

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

crashNode(JSON.parse(process.argv[2] ?? '') as CrashInstruction).catch((error: unknown) => {
  throw error;
});
