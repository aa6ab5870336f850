import type { Channel, Message } from 'amqplib';

export type AcknowledgementOptions = {
  readonly channel: Pick<Channel, 'ack' | 'nack'>;
  /** How long an acknowledgement may wait for company. What was not sent when the process dies is delivered again. */
  readonly batchDelayMs: number;
  /** As soon as so many wait they are sent. */
  readonly pendingMax: number;
  /** The channel has ended: the broker delivers the messages again. */
  readonly onFailure: (error: unknown) => void;
};

/** The answers to what one channel delivers. */
export type Acknowledgements = {
  /** It has been delivered and owes an answer. Deliveries are noted in their order. */
  readonly track: (message: Message) => void;
  readonly acknowledge: (message: Message) => void;
  readonly requeue: (message: Message) => void;
  /** Sends what waits. */
  readonly flush: () => void;
};

/** Answers share a write, and acknowledgements without a gap between them share a frame: a queue notes each frame for itself. */
export function createAcknowledgements(options: AcknowledgementOptions): Acknowledgements {
  const { channel, batchDelayMs, pendingMax, onFailure } = options;
  const unacknowledged = new Set<number>();
  let pending: Message[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const messages = pending.sort((one, other) => tagOf(one) - tagOf(other));
    pending = [];
    const [firstUnacknowledged = Number.POSITIVE_INFINITY] = unacknowledged;
    const contiguous = messages.filter((message) => tagOf(message) < firstUnacknowledged);
    const last = contiguous.at(-1);
    try {
      if (last !== undefined) channel.ack(last, contiguous.length > 1);
      for (const message of messages.slice(contiguous.length)) channel.ack(message);
    } catch (error) {
      onFailure(error);
    }
  }

  return {
    track: (message) => void unacknowledged.add(tagOf(message)),
    acknowledge: (message) => {
      unacknowledged.delete(tagOf(message));
      pending.push(message);
      if (pending.length >= pendingMax) flush();
      else timer ??= setTimeout(flush, batchDelayMs);
    },
    requeue: (message) => {
      unacknowledged.delete(tagOf(message));
      try {
        channel.nack(message);
      } catch (error) {
        onFailure(error);
      }
    },
    flush,
  };
}

function tagOf({ fields }: Message): number {
  return fields.deliveryTag;
}
