import { adjustmentMessageId, auditRecorded } from '@holdfast/contracts/messages';
import { formatMoney } from '@holdfast/kernel/money';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { Database } from '@holdfast/postgres';
import { balanceOf, syncAction } from '../use-cases/audit.js';
import type { Deps } from '../use-cases/ports.js';

/** The id follows from the cause, so that parallel syncs record one entry. */
export function publishAdjustment(database: Database, outbox: Outbox): Deps['publishAdjustment'] {
  return ({ cause, instruction: { userId, amount }, reference, description }, posted, { caller, requestId, at }) =>
    database.inTransaction(async (tx) => {
      const { availableUnits, reservedUnits } = posted;
      const { currency } = amount;
      outbox.add(tx, auditRecorded, {
        id: adjustmentMessageId({ cause, at: posted.at }),
        aggregateId: userId,
        aggregateVersion: 0,
        marketplaceId: caller.marketplaceId,
        correlationId: requestId,
        payload: {
          action: syncAction,
          resourceType: 'Balance',
          resourceId: userId,
          actorType: caller.type,
          actorId: caller.id,
          result: 'SUCCESS',
          reason: description ?? null,
          before: balanceOf({ currency, availableUnits: availableUnits - amount.units, reservedUnits }),
          after: {
            ...balanceOf({ currency, availableUnits, reservedUnits }),
            amount: formatMoney(amount),
            ...(reference === undefined ? {} : { reference }),
          },
          recordedAt: at,
        },
      });
      return Promise.resolve();
    });
}
