import type { Channel, Message } from 'amqplib';

export type AcknowledgementOptions = {
  readonly channel: Pick<Channel, 'ack' | 'nack'>;
  /** How long an acknowledgement may wait for company. What was not sent when the process dies is delivered again. */
  readonly lingerMs: number;
  /** As soon as so many wait they are sent. */
  readonly pendingMax: number;
  /** The channel has ended: the broker delivers the messages again. */
  readonly onFailure: (error: unknown) => void;
};

/** The answers to what one channel delivers. */
export type Acknowledgements = {
  /** It has been delivered and owes an answer. Deliveries are noted in their order. */
  readonly expect: (message: Message) => void;
  readonly acknowledge: (message: Message) => void;
  readonly giveBack: (message: Message) => void;
  /** Sends what waits. */
  readonly flush: () => void;
};

/** Answers share a write, and acknowledgements without a gap between them share a frame: a queue notes each frame for itself. */
export function createAcknowledgements(options: AcknowledgementOptions): Acknowledgements {
  const { channel, lingerMs, pendingMax, onFailure } = options;
  const unanswered = new Set<number>();
  let pending: Message[] = [];
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const messages = pending.sort((one, other) => tagOf(one) - tagOf(other));
    pending = [];
    const [firstUnanswered = Number.POSITIVE_INFINITY] = unanswered;
    const together = messages.filter((message) => tagOf(message) < firstUnanswered);
    const last = together.at(-1);
    try {
      if (last !== undefined) channel.ack(last, together.length > 1);
      for (const message of messages.slice(together.length)) channel.ack(message);
    } catch (error) {
      onFailure(error);
    }
  }

  return {
    expect: (message) => void unanswered.add(tagOf(message)),
    acknowledge: (message) => {
      unanswered.delete(tagOf(message));
      pending.push(message);
      if (pending.length >= pendingMax) flush();
      else timer ??= setTimeout(flush, lingerMs);
    },
    giveBack: (message) => {
      unanswered.delete(tagOf(message));
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
