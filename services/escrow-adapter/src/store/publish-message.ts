import type { Outbox } from '@holdfast/messaging/outbox';
import type { Contracts, Deps, NewEscrowMessage } from '../use-cases/ports.js';

/** Publishes messages about escrows and their orders, with the next version of the aggregate, and replies to payouts. */
export function messagePublishers(
  outbox: Outbox,
  contracts: Pick<Contracts, 'nextVersion'>,
): Pick<Deps, 'publish' | 'publishPayoutReply' | 'republish'> {
  return {
    publish: async (tx, message) => {
      const aggregateVersion = message.version ?? (await contracts.nextVersion(tx, message.escrowId));
      return outbox.add(tx, message.declaration, {
        ...messageOf(message, message.orderId ?? message.escrowId),
        aggregateVersion,
      });
    },
    publishPayoutReply: (tx, message) =>
      outbox.add(tx, message.declaration, { ...messageOf(message, message.withdrawalId), aggregateVersion: 1 }),
    republish: outbox.republish,
  };
}

/** Another service counts its own messages about the same aggregate; `aggregatePart` keeps the two sequences of versions apart. */
function messageOf(message: Omit<NewEscrowMessage, 'escrowId' | 'orderId'>, aggregateId: string) {
  const { id, isRepeated, payload, marketplaceId, correlationId, causationId, afterEventId, saga, sagaRunId } = message;
  return {
    aggregateId,
    aggregatePart: 'escrow-adapter',
    marketplaceId,
    correlationId,
    payload,
    id,
    isRepeated,
    causationId,
    afterEventId,
    ...(saga === undefined ? {} : { saga }),
    ...(sagaRunId === undefined ? {} : { sagaRunId }),
  };
}
