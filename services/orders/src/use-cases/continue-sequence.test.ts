import type { Failure, Origin, OutgoingMessage, SagaOutcome, NewSagaRun } from '@holdfast/sagas';
import type { Order, SagaName } from '../domain/order.js';
import { anActiveRun, anEscrow, anOrder } from '../testing/an-order.js';
import { endRun } from './end-run.js';
import type { UnitOfWork } from './ports.js';

const at = '2026-01-31T12:00:00.000000Z';
const failure: Failure = { code: 'ESCROW_FUNDING_FAILED', details: { orderStatus: 'FUNDS_RESERVED' } };
const created = anEscrow({ status: 'CREATED', fundedAt: null });

/** Ends the saga of a sequence on an order in this state, in one unit of work. */
function end(
  saga: SagaName,
  after: Partial<Order>,
  { now, earlier }: { readonly now?: Failure; readonly earlier?: Failure } = {},
) {
  const started: NewSagaRun[] = [];
  const closed: Record<string, SagaOutcome['status']> = {};
  const published: OutgoingMessage[] = [];
  const tx = {
    orders: { save: () => undefined },
    publish: (message: OutgoingMessage) => void published.push(message),
    runs: {
      start: (run: NewSagaRun) => void started.push(run),
      close: (id: string, { status }: SagaOutcome) => void (closed[id] = status),
    },
  } as unknown as UnitOfWork;
  const partOf = { runId: 'run_sequence', failure: earlier ?? null } as const;
  const before = anOrder({ ...after, activeRun: anActiveRun({ runId: 'run_ended', saga, partOf }) });
  const step = { cause: 'run_ended', name: 'a reply', at } as const;
  const origin: Origin = { actor: { type: 'account', id: 'usr_buyer' }, at, correlationId: 'req-1', step };
  const change = { after: before, events: [], auditEntries: [], ...(now === undefined ? {} : { failure: now }) };
  const { activeRun } = endRun(tx, before, change, origin).order;
  return { started, closed, activeRun, commands: published.map(({ declaration }) => declaration.type) };
}

describe('a saga of a sequence that ends', () => {
  it.each([
    ['reserve', { status: 'FUNDS_RESERVED' }, 'create-escrow', 'escrow.deploy_requested'],
    ['create-escrow', { status: 'ESCROW_FUNDING', escrow: created }, 'fund', 'order.fund_requested'],
  ] as const)('%s: the next one starts in the same unit of work, and the sequence stays open', (saga, after, next, command) => {
    const { started, closed, activeRun, commands } = end(saga, after);
    expect(started).toMatchObject([{ saga: next, id: activeRun?.runId }]);
    expect(closed).toEqual({ run_ended: 'succeeded' });
    expect(activeRun).toMatchObject({ saga: next, partOf: { runId: 'run_sequence', failure: null } });
    expect(commands).toContain(command);
  });

  it('ends the sequence if it was the last one', () => {
    const { started, closed, activeRun } = end('fund', { status: 'IN_PROGRESS', escrow: anEscrow() });
    expect([started, activeRun]).toEqual([[], null]);
    expect(closed).toEqual({ run_ended: 'succeeded', run_sequence: 'succeeded' });
  });

  it.each([
    ['reserve', { status: 'ORDER_CREATED' }],
    ['create-escrow', { status: 'FUNDS_RESERVED' }],
    ['fund', { status: 'FUNDS_RESERVED', escrow: created }],
  ] as const)('%s as failed: only the compensation follows, and the failure is kept', (saga, after) => {
    const { closed, activeRun, commands } = end(saga, after, { now: failure });
    expect(closed).toEqual({ run_ended: 'failed' });
    expect(activeRun).toMatchObject({ saga: 'cancel', partOf: { runId: 'run_sequence', failure } });
    expect(commands).toEqual(['order.cancel_requested']);
  });

  it('ends the sequence as failed after the compensation, which has succeeded', () => {
    const { started, closed } = end('cancel', { status: 'CLOSED', closeReason: 'CANCELED' }, { earlier: failure });
    expect(started).toEqual([]);
    expect(closed).toEqual({ run_ended: 'succeeded', run_sequence: 'failed' });
  });

  it('starts the same run when the decision is repeated, and another one for each saga', () => {
    const [first, repeated] = [end('reserve', { status: 'FUNDS_RESERVED' }), end('reserve', { status: 'FUNDS_RESERVED' })];
    expect(repeated.started).toEqual(first.started);
    const failed = end('reserve', { status: 'ORDER_CREATED' }, { now: failure });
    expect(failed.activeRun?.runId).not.toBe(first.activeRun?.runId);
  });
});
