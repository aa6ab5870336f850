import { adjustmentMessageId, auditRecorded } from '@holdfast/contracts/messages';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';

/** The id follows from the cause, so that parallel syncs record one entry. */
export function publishAdjustment(database: Database, outbox: Outbox): Deps['publishAdjustment'] {
  return ({ cause, postedAt, userId, fact }, { caller, requestId }) =>
    database.inTransaction(async (tx) => {
      outbox.add(tx, auditRecorded, {
        id: adjustmentMessageId({ cause, at: postedAt }),
        isRepeated: true,
        aggregateId: userId,
        aggregateVersion: 0,
        marketplaceId: caller.marketplaceId,
        correlationId: requestId,
        payload: fact,
      });
      return Promise.resolve();
    });
}
