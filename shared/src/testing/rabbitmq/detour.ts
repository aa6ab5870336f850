import { setTimeout as pause } from 'node:timers/promises';
import { connect, type ConsumeMessage } from 'amqplib';

/** Another way to a queue, on which later messages overtake earlier ones. */
export type Detour = {
  /** Everything goes the usual way again; resolves when nothing is left on this one. */
  readonly end: () => Promise<void>;
};

const events = 'holdfast.events';

/** Each message is kept for the next of these times, and then for the first again. */
export async function startDetour(url: string, service: string, keptMs: readonly number[]): Promise<Detour> {
  const connection = await connect(url);
  const channel = await connection.createConfirmChannel();
  const [queue, key] = [`holdfast.${service}`, `bundle.${service}`];
  const { queue: detour } = await channel.assertQueue('', { exclusive: true });
  const underWay = new Set<Promise<void>>();
  let count = 0;
  const passOn = async (message: ConsumeMessage): Promise<void> => {
    await pause(keptMs[count++ % keptMs.length]);
    channel.sendToQueue(queue, message.content, message.properties);
    await channel.waitForConfirms();
    channel.ack(message);
  };
  await channel.consume(detour, (message) => {
    if (message === null) return;
    const passing = passOn(message).finally(() => underWay.delete(passing));
    underWay.add(passing);
  });
  await channel.bindQueue(detour, events, key);
  await channel.unbindQueue(queue, events, key);
  return {
    end: async () => {
      await channel.bindQueue(queue, events, key);
      await channel.unbindQueue(detour, events, key);
      do await Promise.all(underWay);
      while ((await channel.checkQueue(detour)).messageCount + underWay.size > 0);
      await connection.close();
    },
  };
}
