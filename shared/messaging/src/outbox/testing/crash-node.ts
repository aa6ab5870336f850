import type { Broker, Delivery } from '../../broker/index.js';
import { openNode, type CrashInstruction, type CrashPoint } from './messaging-node.js';

/** Publishes one notice and kills its own process with SIGKILL at the crash point. */
async function crashNode(instruction: CrashInstruction): Promise<void> {
  const node = await openNode(instruction, (broker) => crashingAt(instruction.crashPoint, broker));
  // Another test may have left a message in the queue, and this process must handle its own one.
  const dieOnOwn = ({ envelope }: Delivery): void => {
    if ((envelope.payload as { readonly text: string }).text === instruction.text) die();
  };
  if (instruction.crashPoint === 'after handling, before ack') await node.consume(dieOnOwn);
  await node.publish(instruction.text);
  process.stdin.resume(); // keeps the process running until the crash
}

function crashingAt(crashPoint: CrashPoint, broker: Broker): Broker {
  switch (crashPoint) {
    case 'after commit, before publish':
      return { ...broker, publish: async () => die() };
    case 'after publish, before delete':
      return { ...broker, publish: (...message) => broker.publish(...message).then(die) };
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
