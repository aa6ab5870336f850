import { auditRecorded } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';

/** An unexplained difference is recorded as a FAILURE, because an operator must look at it. */
export function publishSynced(database: Database, outbox: Outbox): Deps['wallets']['publishSynced'] {
  return ({ userId, asset, adjustmentUnits, differenceUnits }, { caller, requestId, at }) =>
    database.inTransaction(async (tx) => {
      outbox.add(tx, auditRecorded, {
        aggregateId: userId,
        aggregateVersion: 0,
        marketplaceId: caller.marketplaceId,
        correlationId: requestId,
        payload: {
          action: 'BALANCE_ADJUSTED',
          resourceType: 'Balance',
          resourceId: userId,
          actorType: caller.type,
          actorId: caller.id,
          result: differenceUnits === 0n ? 'SUCCESS' : 'FAILURE',
          reason:
            differenceUnits === 0n ? null : `The wallet differs from the journal by ${formatUnits(differenceUnits)} ${asset}.`,
          before: null,
          after: { asset, adjustment: formatUnits(adjustmentUnits), difference: formatUnits(differenceUnits) },
          recordedAt: at,
        },
      });
      return Promise.resolve();
    });
}
