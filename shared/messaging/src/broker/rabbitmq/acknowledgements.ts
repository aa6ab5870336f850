import type { Channel, Message } from 'amqplib';

export type AcknowledgementOptions = {
  readonly channel: Pick<Channel, 'ack' | 'nack'>;
  /** Maximum delay of an acknowledgement. A message whose acknowledgement was not sent before a crash is delivered again. */
  readonly batchDelayMs: number;
  /** This many pending acknowledgements are sent without waiting for the delay. */
  readonly pendingMax: number;
  /** Called when the channel is closed; the broker then delivers the messages again. */
  readonly onFailure: (error: unknown) => void;
};

/** Acknowledges and requeues the deliveries of one channel. */
export type Acknowledgements = {
  /** Records a delivery as unacknowledged. Call it in the order of delivery. */
  readonly track: (message: Message) => void;
  readonly acknowledge: (message: Message) => void;
  readonly requeue: (message: Message) => void;
  /** Sends the pending acknowledgements. */
  readonly flush: () => void;
};

/**
 * Batches acknowledgements. All deliveries up to the first unacknowledged one share one frame (`multiple`), because a quorum queue
 * writes each frame to its log. See ADR 0020.
 */
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
