import { orderCanceled, orderCancelRequested, orderClosed } from '@holdfast/contracts/messages';
import { anOrder } from '../testing/an-order.js';
import { applyChange, type Event } from './apply-change.js';
import type { Origin } from './origin.js';
import type { OutgoingMessage, UnitOfWork } from './ports.js';

const order = anOrder({ lastEventId: 'evt_last', updatedAt: '2026-01-31T12:00:00.000000Z' });
const soon: Origin = { actor: { type: 'api_key', id: 'key_1' }, at: '2026-01-31T12:00:59.000000Z', correlationId: 'req-1' };
const late: Origin = { ...soon, at: '2026-01-31T12:01:00.000000Z' };

/** The published messages, and the order as it is saved. */
function committed(events: readonly Event[], origin: Origin) {
  const published: OutgoingMessage[] = [];
  const tx = {
    publish: (each: OutgoingMessage) => void published.push(each),
    orders: { save: () => undefined },
  } as unknown as UnitOfWork;
  return { published, saved: applyChange(tx, order, { after: order, events, auditEntries: [] }, origin) };
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
    expect(published).not.toHaveProperty('afterEventId');
  });

  it('becomes the last event of the order if it is public', () => {
    const { published, saved } = committed([canceled, closed, command], late);
    expect(new Set(published.map(({ id }) => id)).size).toBe(3);
    expect(saved.lastEventId).toBe(published[1]?.id);
    expect(published[2]).not.toHaveProperty('id');
    expect(published.map(({ afterEventId }) => afterEventId)).toEqual([undefined, published[0]?.id, published[1]?.id]);
  });

  it('has the same id when the decision is repeated, and an id per run within a saga', () => {
    const ids = (origin: Origin) => committed([canceled, closed], origin).published.map(({ id }) => id);
    expect(ids(soon)).toEqual(ids(late));
    expect(ids({ ...soon, run: { saga: 'fund', runId: 'run_1' } })).toEqual(
      ids({ ...late, run: { saga: 'fund', runId: 'run_1' } }),
    );
    expect(ids({ ...soon, run: { saga: 'fund', runId: 'run_1' } })).not.toEqual(
      ids({ ...soon, run: { saga: 'fund', runId: 'run_2' } }),
    );
  });
});
