import type { Message } from 'amqplib';
import { eventually } from '@holdfast/testing/eventually';
import { createAcknowledgements } from './acknowledgements.js';

function aMessage(deliveryTag: number): Message {
  return { content: Buffer.alloc(0), fields: { deliveryTag }, properties: {} } as Message;
}

/** Records every frame in the order of sending. */
function aChannel() {
  const frames: string[] = [];
  const channel = {
    ack: ({ fields }: Message, allUpTo = false) => void frames.push(`ack ${fields.deliveryTag}${allUpTo ? ' and before' : ''}`),
    nack: ({ fields }: Message) => void frames.push(`nack ${fields.deliveryTag}`),
  };
  return { channel, frames };
}

function aSession(count: number, options: { readonly pendingMax?: number; readonly batchDelayMs?: number } = {}) {
  const { channel, frames } = aChannel();
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const acknowledgements = createAcknowledgements({ channel, batchDelayMs: 60_000, pendingMax: 100, onFailure, ...options });
  const messages = Array.from({ length: count }, (_, index) => aMessage(index + 1));
  messages.forEach(acknowledgements.track);
  const done = (...tags: readonly number[]): void => {
    for (const tag of tags) acknowledgements.acknowledge(aMessage(tag));
  };
  return { acknowledgements, frames, failures, done };
}

describe('acknowledgements', () => {
  it('share a frame when every delivery up to the last one is acknowledged', () => {
    const { acknowledgements, frames, done } = aSession(4);
    done(3, 1, 2);
    expect(frames).toEqual([]);
    acknowledgements.flush();
    expect(frames).toEqual(['ack 3 and before']);
    acknowledgements.flush();
    expect(frames).toEqual(['ack 3 and before']);
  });

  it('leave out deliveries that are still being handled', () => {
    const { acknowledgements, frames, done } = aSession(6);
    done(1, 2, 4, 6);
    acknowledgements.flush();
    expect(frames).toEqual(['ack 2 and before', 'ack 4', 'ack 6']);
    done(3, 5);
    acknowledgements.flush();
    expect(frames.slice(3)).toEqual(['ack 5 and before']);
  });

  it('do not include a requeued delivery', () => {
    const { acknowledgements, frames, done } = aSession(3);
    done(1);
    acknowledgements.requeue(aMessage(2));
    done(3);
    acknowledgements.flush();
    expect(frames).toEqual(['nack 2', 'ack 3 and before']);
  });

  it('are sent at once when pendingMax is reached', () => {
    const { acknowledgements, frames, done } = aSession(5, { pendingMax: 2 });
    done(1, 2, 3);
    expect(frames).toEqual(['ack 2 and before']);
    acknowledgements.flush();
  });

  it('are sent after the batch delay', async () => {
    const { frames, done } = aSession(1, { batchDelayMs: 1 });
    done(1);
    await eventually(() => expect(frames).toEqual(['ack 1']));
  });

  it('report a failure when the channel is closed', () => {
    const failures: unknown[] = [];
    const ended = (): never => {
      throw new Error('Channel closed');
    };
    const onFailure = (error: unknown): void => void failures.push(error);
    const acknowledgements = createAcknowledgements({
      channel: { ack: ended, nack: ended },
      batchDelayMs: 1,
      pendingMax: 1,
      onFailure,
    });
    acknowledgements.acknowledge(aMessage(1));
    acknowledgements.requeue(aMessage(2));
    expect(failures).toHaveLength(2);
  });
});
