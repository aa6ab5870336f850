import { auditRecorded, balanceDifferenceFound, differenceMessageId } from '@holdfast/contracts/messages';
import { formatUnits } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import type { Deps } from '../use-cases/ports.js';

/** payments opens a case about the difference. The audit entry is a FAILURE, because an operator must look at it. */
export function publishDifference(database: Database, outbox: Outbox): Deps['wallets']['publishDifference'] {
  return (userId, { address, asset, networkUnits, journalUnits }, { caller, requestId, at }) =>
    database.inTransaction(async (tx) => {
      const [onNetwork, inJournal] = [formatUnits(networkUnits), formatUnits(journalUnits)];
      const difference = formatUnits(networkUnits - journalUnits);
      const frame = {
        aggregateId: userId,
        aggregateVersion: 0,
        marketplaceId: caller.marketplaceId,
        correlationId: requestId,
      };
      outbox.add(tx, balanceDifferenceFound, {
        ...frame,
        id: differenceMessageId({ userId, currency: asset, onNetwork, inJournal }),
        isRepeated: true,
        payload: { userId, amount: difference, currency: asset, address },
      });
      outbox.add(tx, auditRecorded, {
        ...frame,
        payload: {
          action: 'BALANCE_ADJUSTED',
          resourceType: 'Balance',
          resourceId: userId,
          actorType: caller.type,
          actorId: caller.id,
          result: 'FAILURE',
          reason: `The wallet differs from the journal by ${difference} ${asset}.`,
          before: null,
          after: { asset, onNetwork, inJournal, difference },
          recordedAt: at,
        },
      });
      return Promise.resolve();
    });
}
