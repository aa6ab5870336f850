import { orderCanceled, orderCancelRequested, orderClosed } from '@holdfast/contracts/messages';
import type { Order } from '../domain/order.js';
import { aDispute, anOrder } from '../testing/an-order.js';
import { applyChange, type Event } from './apply-change.js';
import type { NewAuditEntry } from './audit.js';
import { startOf, type Origin } from './origin.js';
import type { OutgoingMessage, UnitOfWork } from './ports.js';

const order = anOrder({ lastEventId: 'evt_last', updatedAt: '2026-01-31T12:00:00.000000Z' });
const soon: Origin = { actor: { type: 'api_key', id: 'key_1' }, at: '2026-01-31T12:00:59.000000Z', correlationId: 'req-1' };
const late: Origin = { ...soon, at: '2026-01-31T12:01:00.000000Z' };

/** The published messages, and the order as it is saved. */
function committed(
  events: readonly Event[],
  origin: Origin,
  { auditEntries = [], about = order }: { readonly auditEntries?: readonly NewAuditEntry[]; readonly about?: Order } = {},
) {
  const published: OutgoingMessage[] = [];
  const tx = {
    publish: (each: OutgoingMessage) => void published.push(each),
    orders: { save: () => undefined },
  } as unknown as UnitOfWork;
  return { published, saved: applyChange(tx, about, { after: about, events, auditEntries }, origin) };
}

const canceled: Event = { declaration: orderCanceled, payload: {} };
const closed: Event = { declaration: orderClosed, payload: {} };
const command: Event = { declaration: orderCancelRequested, payload: {} };

describe('a message about an order', () => {
  it('names the last event of the order as its predecessor', () => {
    const { published, saved } = committed([command], soon);
    expect(published).toMatchObject([{ afterEventId: 'evt_last' }]);
    expect(saved.lastEventId).toBe('evt_last');
  });

  it('names the predecessor of the message that caused it, which is stored even if no event is published', () => {
    const origin: Origin = { ...soon, causationId: 'evt_reply', afterEventId: 'evt_cause' };
    expect(committed([canceled], origin).published).toMatchObject([{ afterEventId: 'evt_cause' }]);
    expect(committed([], origin).saved.lastEventId).toBe('evt_cause');
  });

  it('names no predecessor that is older than a minute', () => {
    const [published] = committed([canceled], late).published;
    expect(published?.afterEventId).toBeUndefined();
  });

  it('becomes the last event of the order if it is public', () => {
    const { published, saved } = committed([canceled, closed, command], late);
    expect(new Set(published.map(({ id }) => id)).size).toBe(3);
    expect(saved.lastEventId).toBe(published[1]?.id);
    expect(published[2]?.id).toBeUndefined();
    expect(published.map(({ afterEventId }) => afterEventId)).toEqual([undefined, published[0]?.id, published[1]?.id]);
  });

  it('has the same id when the decision of a request is repeated', () => {
    expect(idsOf([canceled, closed], soon)).toEqual(idsOf([canceled, closed], soon));
    expect(new Set([...idsOf([canceled, closed], soon), ...idsOf([canceled, closed], late)]).size).toBe(4);
  });

  it('has an id within a saga that follows from the run, the step and the stored time of the step, not from the clock', () => {
    const step = { cause: 'run_1', name: 'balance.hold_freed', at: soon.at };
    const run = { saga: 'cancel', runId: 'run_1' } as const;
    const first = idsOf([canceled, closed, command], { ...soon, run, step });
    expect(idsOf([canceled, closed, command], { ...late, run, step })).toEqual(first);
    expect(idsOf([canceled], { ...soon, run, step: { ...step, cause: 'run_2' } })).not.toEqual(first.slice(0, 1));
    expect(idsOf([canceled], { ...soon, run, step: { ...step, at: late.at } })[0]?.localeCompare(first[0] ?? '')).toBe(1);
  });

  it('names the public event that caused it; a command names the event before it', () => {
    const origin: Origin = { ...soon, causationId: 'evt_cause' };
    const { published } = committed([command, canceled, closed, command], origin);
    expect(published.map(({ causationId }) => causationId)).toEqual(['evt_cause', 'evt_cause', 'evt_cause', published[2]?.id]);
    expect(committed([canceled], soon).published[0]?.causationId).toBeUndefined();
  });
});

describe('a command that is resent', () => {
  it('is the same message, whenever it is resent', () => {
    const run = { saga: 'cancel', runId: 'run_1' } as const;
    const started: Origin = { ...soon, run, step: startOf(run, soon.at) };
    const [first] = committed([canceled, command], started).published.slice(1);
    const [resent] = committed([command], { ...started, at: late.at }).published;
    expect([resent?.id, resent?.occurredAt]).toEqual([first?.id, soon.at]);
  });
});

describe('an audit entry', () => {
  const entryOf = (action: string): NewAuditEntry => ({ action, before: null, after: null });
  const published = (action: string, about = order) =>
    committed([canceled, closed], soon, { auditEntries: [entryOf(action)], about }).published;

  it('names the event that it reports', () => {
    const [, closing, entry] = published('CLOSED');
    expect(entry).toMatchObject({ afterEventId: closing?.id, payload: { resourceType: 'Order', resourceId: order.id } });
    expect(published('ORDER_CANCELED')[2]?.afterEventId).toBe(published('ORDER_CANCELED')[0]?.id);
    expect(published('ESCROW_DISPUTED')[2]?.afterEventId).toBeUndefined();
  });

  it('about a dispute carries the dispute, and the order as related', () => {
    const disputed = anOrder({ dispute: aDispute() });
    const dispute = { resourceType: 'Dispute', resourceId: disputed.dispute?.id, relatedIds: [disputed.id] };
    for (const action of [
      'DISPUTE_OPENED',
      'DISPUTE_ASSIGNED',
      'DISPUTE_COMMENTED',
      'DISPUTE_RESOLVED',
      'DISPUTE_RESOLVE_FAILED',
    ])
      expect(published(action, disputed)[2]?.payload).toMatchObject({ action, ...dispute });
    expect(published('DISPUTED', disputed)[2]?.payload).toMatchObject({ resourceType: 'Order', resourceId: disputed.id });
  });
});

function idsOf(events: readonly Event[], origin: Origin): readonly (string | undefined)[] {
  return committed(events, origin).published.map(({ id }) => id);
}
