import { randomUUID } from 'node:crypto';
import { systemClock } from '@holdfast/kernel/context';
import {
  auditRecorded,
  balanceCredited,
  orderClosed,
  type Envelope,
  type MessageDeclaration,
} from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

/** A message as its publisher would publish it. */
export function aMessage(declaration: MessageDeclaration, payload: unknown, given: Partial<Envelope> = {}): Envelope {
  return {
    id: newId('evt'),
    type: declaration.type,
    version: declaration.version,
    occurredAt: clock.now(),
    aggregateType: declaration.aggregateType,
    aggregateId: newId('ord'),
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: randomUUID(),
    payload,
    ...given,
  };
}

/** An event without a predecessor. */
export function anEvent(given: Partial<Envelope> = {}): Envelope {
  const orderId = newId('ord');
  return aMessage(orderClosed, { orderId, finalStatus: 'RELEASED', closedAt: clock.now() }, { aggregateId: orderId, ...given });
}

/** An event whose predecessor is the previous version of the same balance. */
export function aCredit(userId: string, version: number, given: Partial<Envelope> = {}): Envelope {
  const amounts = { amount: '1.00', currency: 'USD', previousAvailableBalance: '0.00', newAvailableBalance: '1.00' };
  return aMessage(
    balanceCredited,
    { userId, ...amounts, source: 'manual' },
    { aggregateId: userId, aggregatePart: 'USD', aggregateVersion: version, ...given },
  );
}

export function anAuditFact(fact: object = {}, given: Partial<Envelope> = {}): Envelope {
  return aMessage(
    auditRecorded,
    {
      action: 'RELEASE_REQUESTED',
      resourceType: 'Order',
      resourceId: 'ord_1',
      actorType: 'api_key',
      actorId: 'key_1',
      result: 'SUCCESS',
      reason: null,
      before: { status: 'IN_PROGRESS' },
      after: { status: 'RELEASE_REQUESTED' },
      recordedAt: clock.now(),
      ...fact,
    },
    given,
  );
}
