import { once } from 'node:events';
import { connect, type ChannelModel, type ConfirmChannel, type ConsumeMessage } from 'amqplib';

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
const foundTimeoutMs = 60_000;

/**
 * Takes all messages of the queues until the wanted ones are among them. Only those are lost, each once. With `after` it begins when
 * these messages are published: for a service that has to handle an earlier message before its own one is published.
 */
export async function startMessageLoss(
  url: string,
  messages: readonly MessageToLose[],
  after: readonly MessageToLose[] = [],
): Promise<MessageLoss> {
  const connection = await connect(url);
  connection.on('error', () => undefined);
  const first = await takeAll(connection, after.length === 0 ? messages : after);
  const lost = after.length === 0 ? first.lose() : first.found.then(() => loseBeforePutBack(connection, messages, first));
  lost.catch(() => undefined); // it may reject before the test awaits it
  return { lost, close: () => connection.close() };
}

/** The messages that it waited for are put back when the queues of the wanted ones are watched. */
async function loseBeforePutBack(connection: ChannelModel, messages: readonly MessageToLose[], first: Taking): Promise<void> {
  const second = await takeAll(connection, messages);
  await first.putBack();
  await second.lose();
}

/** `found` resolves when all wanted messages were taken. */
type Taking = {
  readonly found: Promise<void>;
  /** Puts every taken message back. */
  readonly putBack: () => Promise<void>;
  /** Puts every taken message back but the wanted ones, once they are found. */
  readonly lose: () => Promise<void>;
};

async function takeAll(connection: ChannelModel, messages: readonly MessageToLose[]): Promise<Taking> {
  const services = [...new Set(messages.map(({ service }) => service))];
  const ofService = (service: string) => messages.filter((message) => message.service === service);
  const takings = await Promise.all(services.map((service) => takeInQueue(connection, service, ofService(service))));
  const each = async (act: (taking: Taking) => Promise<void>): Promise<void> => {
    await Promise.all(takings.map(act));
  };
  const found = each((taking) => taking.found);
  found.catch(() => undefined);
  return { found, putBack: () => each((taking) => taking.putBack()), lose: () => each((taking) => taking.lose()) };
}

async function takeInQueue(connection: ChannelModel, service: string, messages: readonly MessageToLose[]): Promise<Taking> {
  const queue = `holdfast.${service}`;
  const channel = await connection.createConfirmChannel();
  await channel.prefetch(unackedMax);
  const taken: ConsumeMessage[] = [];
  const [kept, lost]: [Envelope[], Envelope[]] = [[], []];
  const wanted = new Set(messages);
  const all = new AbortController();
  const take = (message: ConsumeMessage | null): void => {
    if (message === null) return;
    taken.push(message);
    for (const envelope of envelopesOf(message)) (isWanted(envelope, wanted) ? lost : kept).push(envelope);
    if (wanted.size === 0) all.abort();
  };
  const inTime = { signal: AbortSignal.timeout(foundTimeoutMs) };
  const found = once(all.signal, 'abort', inTime).then(() => undefined);
  found.catch(() => undefined);
  const { consumerTag } = await channel.consume(queue, take, { priority });
  const publishAgain = async (envelopesNow: () => readonly Envelope[]): Promise<void> => {
    await channel.cancel(consumerTag); // until then it delivers, so only now the lists are complete
    await publish(channel, queue, envelopesNow());
    for (const message of taken) channel.ack(message);
    await channel.close();
  };
  return {
    found,
    putBack: () => publishAgain(() => [...kept, ...lost]),
    lose: () => found.then(() => publishAgain(() => kept)),
  };
}

type Envelope = { readonly id: string; readonly type: string };

/** A batch is an array of envelopes. */
function envelopesOf({ content }: ConsumeMessage): readonly Envelope[] {
  const parsed = JSON.parse(content.toString()) as Envelope | readonly Envelope[];
  return 'type' in parsed ? [parsed] : parsed;
}

function isWanted(envelope: Envelope, wanted: Set<MessageToLose>): boolean {
  const text = JSON.stringify(envelope);
  const message = [...wanted].find(({ type, about }) => type === envelope.type && text.includes(about));
  return message !== undefined && wanted.delete(message);
}

async function publish(channel: ConfirmChannel, queue: string, envelopes: readonly Envelope[]): Promise<void> {
  for (const envelope of envelopes) {
    const properties = { messageId: envelope.id, type: envelope.type, persistent: true };
    channel.sendToQueue(queue, Buffer.from(JSON.stringify(envelope)), properties);
  }
  await channel.waitForConfirms();
}
