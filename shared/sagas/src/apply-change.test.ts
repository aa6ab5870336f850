import {
  auditRecorded,
  orderCanceled,
  orderCancelRequested,
  orderClosed,
  orderEscrowCreating,
  orderInProgress,
  orderReserveRequested,
  orderAbortRequested,
} from '@holdfast/contracts/messages';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { endRun, applyChange, command, event, publishAbort, publishCommand } from './apply-change.js';
import type { Aggregate, AggregateKind, Change, Event, NewAuditEntry, OutgoingMessage, SagaTx, Start } from './aggregate.js';
import { originOfRequest, startOf, type Origin } from './origin.js';
import type { SagaOutcome, NewSagaRun } from './saga-run.js';

type Parcel = Aggregate<'cancel' | 'reserve'>;

const parcel: Parcel = {
  id: 'ord_1',
  marketplaceId: 'mkt_default',
  status: 'OPEN',
  activeRun: null,
  version: 1,
  lastEventId: 'evt_last',
  createdAt: '2026-01-31T12:00:00.000000Z',
  updatedAt: '2026-01-31T12:00:00.000000Z',
};
const funds = { orderId: 'ord_1', userId: 'usr_1', amount: '1.00', currency: 'USD' } as const;
const kind: AggregateKind<Parcel, SagaTx> = {
  save: () => undefined,
  audited: () => ({ resourceType: 'Order' }),
  commands: { cancel: command(orderCancelRequested, () => funds), reserve: command(orderReserveRequested, () => funds) },
  abortOf: (_, commandId) => ({ declaration: orderAbortRequested, payload: { ...funds, commandId } }),
};
const soon: Origin = { actor: { type: 'api_key', id: 'key_1' }, at: '2026-01-31T12:00:59.000000Z', correlationId: 'req-1' };
const late: Origin = { ...soon, at: '2026-01-31T12:01:00.000000Z' };

/** A unit of work that keeps what is written. */
function aTx() {
  const published: OutgoingMessage[] = [];
  const started: NewSagaRun[] = [];
  const closed: Partial<Record<SagaRunId, SagaOutcome>> = {};
  const tx: SagaTx = {
    publish: (each) => void published.push(each),
    runs: { start: (run) => void started.push(run), close: (runId, outcome) => void (closed[runId] = outcome) },
    newId: (prefix) => `${prefix}_new`,
  };
  return { tx, published, started, closed };
}

function committed(events: readonly Event[], origin: Origin, given: Partial<Change<Parcel>> = {}) {
  const { tx, published, started } = aTx();
  const change = { after: parcel, events, auditEntries: [], ...given };
  return { published, started, saved: applyChange(tx, kind, parcel, { change, origin }) };
}

const canceled: Event = { declaration: orderCanceled, payload: {} };
const closed: Event = { declaration: orderClosed, payload: {} };
const starts: Start<Parcel> = { saga: 'cancel', command: orderCancelRequested, runId: 'run_1' };

describe('an event about an aggregate', () => {
  it('names the last event of the aggregate as its predecessor, and is the next version', () => {
    const { published, saved } = committed([canceled, closed], soon);
    expect(published).toMatchObject([
      { afterEventId: 'evt_last', aggregateVersion: 2 },
      { afterEventId: published[0]?.id, aggregateVersion: 3 },
    ]);
    expect(saved).toMatchObject({ lastEventId: published[1]?.id, version: 3, updatedAt: soon.at });
  });

  it('names the predecessor of the message that caused it, which is stored even if no event is published', () => {
    const origin: Origin = { ...soon, causationId: 'evt_reply', afterEventId: 'evt_cause' };
    expect(committed([canceled], origin).published).toMatchObject([{ afterEventId: 'evt_cause', causationId: 'evt_reply' }]);
    expect(committed([], origin).saved.lastEventId).toBe('evt_cause');
  });

  it('names no predecessor that is older than a minute', () => {
    const [published] = committed([canceled], late).published;
    expect(published?.afterEventId).toBeUndefined();
  });

  it('has the same id when the decision of a request is repeated', () => {
    expect(idsOf([canceled, closed], soon)).toEqual(idsOf([canceled, closed], soon));
    expect(new Set([...idsOf([canceled, closed], soon), ...idsOf([canceled, closed], late)]).size).toBe(4);
  });

  it('has an id within a saga that follows from the run, the step and the stored time of the step, not from the clock', () => {
    const step = { cause: 'run_1', name: 'balance.reservation_freed', at: soon.at };
    const run = { saga: 'cancel', runId: 'run_1' } as const;
    const first = idsOf([canceled, closed], { ...soon, run, step });
    expect(idsOf([canceled, closed], { ...late, run, step })).toEqual(first);
    expect(idsOf([canceled], { ...soon, run, step: { ...step, cause: 'run_2' } })).not.toEqual(first.slice(0, 1));
    expect(idsOf([canceled], { ...soon, run, step: { ...step, at: late.at } })[0]?.localeCompare(first[0] ?? '')).toBe(1);
  });

  it('has its own id also if the step publishes two of its type', () => {
    const step = { cause: 'run_1', name: 'balance.reservation_freed', at: soon.at };
    expect(new Set(idsOf([canceled, canceled], { ...soon, step })).size).toBe(2);
  });
});

describe('a change that starts a saga', () => {
  it('starts the run and publishes its command after the events, caused by the last of them', () => {
    const { published, started, saved } = committed([canceled], { ...soon, causationId: 'evt_cause' }, { starts });
    expect(started).toEqual([
      { id: 'run_1', saga: 'cancel', aggregateId: 'ord_1', marketplaceId: 'mkt_default', correlationId: 'req-1' },
    ]);
    expect(saved.activeRun).toEqual({ runId: 'run_1', saga: 'cancel', actor: soon.actor, startedAt: soon.at });
    expect(published.map(({ declaration }) => declaration)).toEqual([orderCanceled, orderCancelRequested]);
    expect(published[1]).toMatchObject({ causationId: published[0]?.id, saga: 'cancel', sagaRunId: 'run_1', payload: funds });
    expect(committed([], { ...soon, causationId: 'evt_cause' }, { starts }).published[0]?.causationId).toBe('evt_cause');
  });

  it('names its command, which the compiler compares with the first step of the saga', () => {
    // @ts-expect-error -- the saga cancel does not begin with this message
    const wrong: Start<Parcel> = { saga: 'cancel', command: orderClosed };
    // @ts-expect-error -- no such saga acts on the aggregate
    const unknown: Start<Parcel> = { saga: 'fund', command: orderCancelRequested };
    const cancel = command(orderClosed, () => undefined);
    // @ts-expect-error -- the saga cancel does not begin with this message
    const commands: AggregateKind<Parcel, SagaTx>['commands'] = { ...kind.commands, cancel };
    // @ts-expect-error -- no saga of the aggregate requests its abort with this message
    const abortOf: typeof kind.abortOf = () =>
      event(orderClosed, { orderId: 'ord_1', finalStatus: 'CANCELED', closedAt: soon.at });
    expect([wrong, unknown, commands, abortOf]).toHaveLength(4);
  });

  it('is refused if it names another message than the command of the saga', () => {
    const named = { ...orderCancelRequested, type: 'order.closed' } as unknown as typeof orderCancelRequested;
    expect(() => committed([], soon, { starts: { ...starts, command: named } })).toThrow(
      'names order.closed, but its saga sends',
    );
  });

  it('resends the same command, whenever it is resent', () => {
    const { published, saved } = committed([canceled], soon, { starts });
    const { tx, published: resent } = aTx();
    expect(publishCommand(tx, kind, saved, { ...late, isRepeated: true })).toBe(true);
    expect(resent[0]).toMatchObject({ id: published[1]?.id, occurredAt: soon.at, payload: funds, isRepeated: true });
    expect(published[1]?.isRepeated).toBeUndefined();
  });

  it('aborts with the same messages, whenever the abort is requested', () => {
    const { saved } = committed([], soon, { starts });
    const [first, repeated] = [soon, late].map((origin) => {
      const { tx, published } = aTx();
      expect(publishAbort(tx, kind, saved, origin)).toBe(true);
      return published.map(({ id, occurredAt, declaration }) => ({ id, occurredAt, declaration }));
    });
    expect(repeated).toEqual(first);
    expect(first).toMatchObject([{ declaration: orderAbortRequested, occurredAt: soon.at }, { declaration: auditRecorded }]);
  });

  it('has events that belong to the run, if the request says so', () => {
    const ctx = { caller: { ...soon.actor }, at: soon.at, requestId: 'req-1' } as unknown as Parameters<
      typeof originOfRequest
    >[0];
    const origin = originOfRequest(ctx, { saga: 'cancel', runId: 'run_1' });
    expect(origin.step).toEqual(startOf({ runId: 'run_1', startedAt: soon.at }));
    expect(committed([canceled], origin, { starts }).published[0]).toMatchObject({ saga: 'cancel', sagaRunId: 'run_1' });
  });
});

describe('the events of a change', () => {
  it('have types and payloads that the compiler compares with their declarations', () => {
    const escrow = { orderId: 'ord_1', escrowId: 'esc_1' } as const;
    const change: Change<Parcel, 'order.in_progress'> = {
      after: parcel,
      events: [event(orderInProgress, escrow)],
      auditEntries: [],
    };
    // @ts-expect-error -- the change does not name this event
    const other: typeof change = { ...change, events: [event(orderEscrowCreating, { ...escrow, amount: '1.00' })] };
    // @ts-expect-error -- the payload lacks the escrow
    const incomplete = event(orderInProgress, { orderId: 'ord_1' });
    // @ts-expect-error -- the payload has an amount that is not a text
    const malformed = event(orderEscrowCreating, { ...escrow, amount: 1 });
    expect([change, other].map(({ events }) => events.length)).toEqual([1, 1]);
    expect([incomplete, malformed]).toHaveLength(2);
  });
});

describe('a change that ends a run', () => {
  const { saved: running } = committed([], soon, { starts });
  const end = (given: { readonly failure?: { readonly code: 'INVALID_STATE' } }, ofKind = kind) => {
    const { tx, closed: outcomes } = aTx();
    const change = { after: running, events: [], auditEntries: [], ...given };
    return { outcome: (endRun(tx, ofKind, running, { change, origin: soon }), outcomes['run_1']), tx };
  };

  it('closes it with its failure, or with the record of the aggregate', () => {
    expect(end({}).outcome).toEqual({ status: 'succeeded' });
    expect(end({}, { ...kind, recordOf: ({ id }) => id }).outcome).toEqual({ status: 'succeeded', record: 'ord_1' });
    expect(end({ failure: { code: 'INVALID_STATE' } }).outcome).toEqual({ status: 'failed', code: 'INVALID_STATE' });
  });
});

describe('an audit entry', () => {
  const published = (reports: string | undefined) => {
    const entry: NewAuditEntry = { action: 'CLOSED', before: null, after: null, reports };
    return committed([canceled, closed], soon, { auditEntries: [entry] }).published;
  };

  it('names the event that it reports, if the change publishes it', () => {
    const [, closing, entry] = published(orderClosed.type);
    expect(entry).toMatchObject({ afterEventId: closing?.id, payload: { resourceType: 'Order', resourceId: 'ord_1' } });
    expect(published(undefined)[2]?.afterEventId).toBeUndefined();
    expect(published(orderCancelRequested.type)[2]?.afterEventId).toBeUndefined();
  });
});

function idsOf(events: readonly Event[], origin: Origin): readonly (string | undefined)[] {
  return committed(events, origin).published.map(({ id }) => id);
}
