import { orderClosed } from '@holdfast/contracts/messages';
import { applyChange, event, type NewAuditEntry, type Origin, type OutgoingMessage } from '@holdfast/sagas';
import { aDispute, anOrder } from '../testing/an-order.js';
import { statusEntries } from './audit.js';
import { orderKind } from './order-kind.js';
import type { UnitOfWork } from './ports.js';

const origin: Origin = { actor: { type: 'api_key', id: 'key_1' }, at: '2026-01-31T12:00:00.000000Z', correlationId: 'req-1' };

function publishedWith(order = anOrder(), auditEntries: readonly NewAuditEntry[] = []): readonly OutgoingMessage[] {
  const published: OutgoingMessage[] = [];
  const tx = {
    publish: (each: OutgoingMessage) => void published.push(each),
    orders: { save: () => undefined },
  } as unknown as UnitOfWork;
  const closed = event(orderClosed, { orderId: order.id, finalStatus: 'CANCELED', closedAt: origin.at });
  applyChange(tx, orderKind, order, { change: { after: order, events: [closed], auditEntries }, origin });
  return published;
}

describe('an audit entry about an order', () => {
  it('names the event about the status that the order enters', () => {
    const [closing, entry] = publishedWith(anOrder(), statusEntries({ status: 'IN_PROGRESS' }, ['CLOSED']));
    expect(entry).toMatchObject({ afterEventId: closing?.id, payload: { resourceType: 'Order', resourceId: 'ord_1' } });
    expect(publishedWith(anOrder(), statusEntries(null, ['DISPUTED']))[1]?.afterEventId).toBeUndefined();
  });

  it('about a dispute carries the dispute, and the order as related', () => {
    const disputed = anOrder({ dispute: aDispute() });
    const dispute = { resourceType: 'Dispute', resourceId: disputed.dispute?.id, relatedIds: [disputed.id] };
    const entryOf = (action: string) => publishedWith(disputed, [{ action, before: null, after: null }])[1]?.payload;
    for (const action of [
      'DISPUTE_OPENED',
      'DISPUTE_ASSIGNED',
      'DISPUTE_COMMENTED',
      'DISPUTE_RESOLVED',
      'DISPUTE_RESOLVE_FAILED',
    ])
      expect(entryOf(action)).toMatchObject({ action, ...dispute });
    expect(entryOf('DISPUTED')).toMatchObject({ resourceType: 'Order', resourceId: disputed.id });
  });
});
