import type { Envelope } from '@holdfast/contracts/messages';
import { PublishFailed, type Broker } from '../broker/index.js';

/** All messages of one committed transaction. */
export type OutboxRow = { readonly id: bigint; readonly envelopes: readonly Envelope[] };

/** Publishes the rows in one call. A row is published when all its messages are; its neighbours do not matter. */
export async function publishOutboxRows(
  broker: Pick<Broker, 'publish'>,
  rows: readonly OutboxRow[],
): Promise<readonly PromiseSettledResult<undefined>[]> {
  try {
    await broker.publish(rows.flatMap((row) => row.envelopes));
    return rows.map(() => ({ status: 'fulfilled', value: undefined }));
  } catch (error) {
    const uncertain = error instanceof PublishFailed ? new Set<string>(error.messageIds) : undefined;
    return rows.map((row) => {
      const isCertain = uncertain !== undefined && row.envelopes.every(({ id }) => !uncertain.has(id));
      return isCertain ? { status: 'fulfilled', value: undefined } : { status: 'rejected', reason: error };
    });
  }
}
