import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, type Broker, type Publishing } from '../broker/index.js';

/** All messages of one committed transaction, or one of them that awaits acknowledgements. */
export type OutboxRow = Publishing & {
  readonly id: bigint;
  readonly envelopes: readonly Envelope[];
  /** Whether the row stays until the consumers have acknowledged its message. Other rows are deleted once published. */
  readonly awaitsAcknowledgement: boolean;
};

/** Publishes the rows in one call. A row is fulfilled when all of its messages are published, independently of other rows. */
export async function publishOutboxRows(
  broker: Pick<Broker, 'publish'>,
  rows: readonly OutboxRow[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  try {
    const isRepeated = rows.some((row) => row.isRepeated);
    await broker.publish(
      rows.flatMap((row) => row.envelopes),
      { isRepeated },
    );
    return rows.map(() => ({ status: 'fulfilled', value: undefined }));
  } catch (error) {
    const unconfirmed = error instanceof PublishFailed ? new Set<string>(error.messageIds) : undefined;
    return rows.map((row) => {
      const isPublished = unconfirmed !== undefined && row.envelopes.every(({ id }) => !unconfirmed.has(id));
      return isPublished ? { status: 'fulfilled', value: undefined } : { status: 'rejected', reason: error };
    });
  }
}
