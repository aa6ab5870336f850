import { once } from 'node:events';
import { connect, type Channel, type ChannelModel, type ConfirmChannel, type ConsumeMessage } from 'amqplib';

/** The next message of this type in the queue of a service whose envelope contains this text. */
export type MessageToLose = { readonly service: string; readonly type: string; readonly about: string };

/** Loses messages that the broker has confirmed, as if it had lost its disk. */
export type MessageLoss = {
  /** Resolves once every message is lost, and the messages that were taken with them are back in their queues. */
  readonly lost: Promise<void>;
  readonly close: () => Promise<void>;
};

/** Higher than the priority of the service's consumer, so that the queue delivers here first. */
const priority = 10;
const unackedMax = 10_000;

/** Takes all messages of the queues until the wanted ones are among them. Only those are lost, each once. */
export async function startMessageLoss(url: string, messages: readonly MessageToLose[]): Promise<MessageLoss> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  const services = [...new Set(messages.map(({ service }) => service))];
  const losses = await Promise.all(
    services.map((service) =>
      loseInQueue(
        connection,
        service,
        messages.filter((message) => message.service === service),
      ),
    ),
  );
  const lost = Promise.all(losses.map((loss) => loss.lost)).then(() => undefined);
  lost.catch(() => undefined); // it may reject before the test awaits it
  return { lost, close: () => connection.close() };
}

type QueueLoss = { readonly lost: Promise<void> };

async function loseInQueue(connection: ChannelModel, service: string, messages: readonly MessageToLose[]): Promise<QueueLoss> {
  const queue = `holdfast.${service}`;
  const channel = await connection.createConfirmChannel();
  await channel.prefetch(unackedMax);
  const taken: ConsumeMessage[] = [];
  const wanted = new Set(messages);
  const kept: Envelope[] = [];
  const found = new AbortController();
  const take = (message: ConsumeMessage | null): void => {
    if (message === null) return;
    taken.push(message);
    kept.push(...envelopesOf(message).filter((envelope) => !isLost(envelope, wanted)));
    if (wanted.size === 0) found.abort();
  };
  const { consumerTag } = await channel.consume(queue, take, { priority });
  const whenFound = found.signal.aborted ? Promise.resolve() : once(found.signal, 'abort');
  return { lost: whenFound.then(() => putBack(channel, { queue, consumerTag, kept, taken })) };
}

type Envelope = { readonly id: string; readonly type: string };

/** A batch is an array of envelopes. */
function envelopesOf({ content }: ConsumeMessage): readonly Envelope[] {
  const parsed = JSON.parse(content.toString()) as Envelope | readonly Envelope[];
  return 'type' in parsed ? [parsed] : parsed;
}

function isLost(envelope: Envelope, wanted: Set<MessageToLose>): boolean {
  const text = JSON.stringify(envelope);
  const message = [...wanted].find(({ type, about }) => type === envelope.type && text.includes(about));
  return message !== undefined && wanted.delete(message);
}

type Taken = {
  readonly queue: string;
  readonly consumerTag: string;
  readonly kept: readonly Envelope[];
  readonly taken: readonly ConsumeMessage[];
};

async function putBack(channel: ConfirmChannel, { queue, consumerTag, kept, taken }: Taken): Promise<void> {
  await channel.cancel(consumerTag); // until then it delivers, so only now both lists are complete
  for (const envelope of kept) {
    const properties = { messageId: envelope.id, type: envelope.type, persistent: true };
    channel.sendToQueue(queue, Buffer.from(JSON.stringify(envelope)), properties);
  }
  await channel.waitForConfirms();
  acknowledge(channel, taken);
  await channel.close();
}

function acknowledge(channel: Channel, messages: readonly ConsumeMessage[]): void {
  for (const message of messages) channel.ack(message);
}
