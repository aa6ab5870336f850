import { createBatcher, type Batcher } from '../../batching/index.js';
import type { Topology } from '../broker.js';
import type { Failures, Serialized } from '../publishing.js';
import { toBatches } from './batches.js';
import type { Names } from './names.js';
import type { Publisher } from './publisher.js';

export type QueuePublisherOptions = {
  readonly topology: Topology;
  readonly names: Names;
  readonly publisher: Pick<Publisher, 'send'>;
};

/** The messages of one `publish` call for one queue. */
export type Publication = {
  readonly messages: readonly Serialized[];
  /** In the time of `performance.now()`. Afterwards the caller has timed out and publishes the messages again. */
  readonly deadlineMs: number;
};

/** Resolves to the errors of unconfirmed messages by id, including messages of other calls in the same batch. */
export type QueuePublisher = Batcher<Publication, ReadonlyMap<string, Error>>;

/** Calls that share a batch, and batches that are unconfirmed at one time. */
const publicationsMax = 64;
const batchesInFlightMax = 8;
/** Maximum delay of a call while another batch for the same queue is in flight. */
const batchDelayMs = 1;
const waitingMax = 20_000;

/**
 * One publisher per queue, by the name of the queue. They do not wait for each other. Not commits: messages for one queue travel as one
 * AMQP message. See ADR 0015.
 */
export function createQueuePublishers(options: QueuePublisherOptions): ReadonlyMap<string, QueuePublisher> {
  return new Map(options.topology.queues.map(({ name }) => [name, createQueuePublisher(options, name)]));
}

function createQueuePublisher({ names, publisher }: QueuePublisherOptions, queue: string): QueuePublisher {
  return createBatcher<Publication, ReadonlyMap<string, Error>>({
    run: async (publications) => {
      const now = performance.now();
      const isWanted = ({ deadlineMs }: Publication): boolean => deadlineMs > now;
      const messages = publications.filter(isWanted).flatMap((publication) => publication.messages);
      const failures = await send(publisher, messages, names.queue(queue));
      return publications.map((publication) =>
        isWanted(publication)
          ? { status: 'fulfilled', value: failures }
          : { status: 'rejected', reason: new Error('not sent within its time limit') },
      );
    },
    sizeMax: publicationsMax,
    batchDelayMs,
    inFlightMax: batchesInFlightMax,
    waitingMax,
    overflow: () => new Error(`more than ${waitingMax} messages wait to be published already`),
  });
}

async function send(publisher: Pick<Publisher, 'send'>, messages: readonly Serialized[], queue: string): Promise<Failures> {
  const batches = toBatches(messages, queue);
  const outcomes = await publisher.send(batches.map(({ outgoing }) => outgoing));
  const failures: Failures = new Map();
  batches.forEach(({ messageIds }, index) => {
    const error = outcomes[index];
    if (error !== undefined) for (const messageId of messageIds) failures.set(messageId, error);
  });
  return failures;
}
