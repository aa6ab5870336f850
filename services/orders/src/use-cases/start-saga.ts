import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { allSagas, signsTransactions } from '@holdfast/contracts/sagas';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { OrderId, SagaRunId } from '@holdfast/kernel/ids';
import { applyChange, originOfRequest, type Change, type Origin, type Start, type StartMessage } from '@holdfast/sagas';
import type { ActiveRun, Order, SagaName, SequenceRun } from '../domain/order.js';
import { orderKind } from './order-kind.js';
import type { Deps, LockedOrder, OrderOutcome, PlatformState, UnitOfWork } from './ports.js';

/** The first change of a saga with its events and its command, which its first step declares, and the input of its later steps. */
export type SagaStart<Saga extends SagaName = SagaName> = Saga extends SagaName
  ? Change<Order, StartMessage<Saga>['type']> & { readonly starts: Start<Order, Saga> } & Partial<
        Pick<ActiveRun, 'requestedBy' | 'reason' | 'resolution' | 'cause' | 'fee'>
      >
  : never;

/** Starts a saga on an order and waits for its outcome. */
export function startSaga(
  deps: Deps,
  orderId: OrderId,
  ctx: Context,
  decide: (locked: LockedOrder) => SagaStart,
): Promise<OrderRecord> {
  const runId = deps.newId('run');
  const { marketplaceId } = ctx.caller;
  const start = () =>
    deps.onOrder({ marketplaceId, orderId, createdId: runId, whenCommitted: () => orderId }, (tx, locked) => {
      startRequested(deps, tx, { runId, locked, start: decide(locked) }, ctx);
      return orderId;
    });
  return waitForRun(deps, { runId, start }, ctx);
}

type RequestedStart = { readonly runId: SagaRunId; readonly locked: LockedOrder; readonly start: SagaStart };

/** Starts a run for a request, unless the platform is stopped. */
export function startRequested(deps: Deps, tx: UnitOfWork, { runId, locked, start }: RequestedStart, ctx: Context): void {
  const { saga } = start.starts;
  requireNotStopped(deps, saga, locked);
  startRun(tx, { runId, order: locked.order, start }, originOfRequest(ctx, { saga, runId }));
}

const signing: ReadonlySet<string> = new Set(allSagas.filter(signsTransactions).map(({ name }) => name));

/**
 * PLATFORM_STOPPED for a saga that signs, while a person has stopped the platform. It is checked last, so that a request which is
 * refused anyway says why, and before anything is written. A run that has started before waits for the end of the stop.
 * See ADR 0085.
 */
export function requireNotStopped({ isStoppedBySetting }: Deps, saga: SagaName, { isStopped }: PlatformState): void {
  if (!signing.has(saga)) return;
  if (isStopped || isStoppedBySetting) throw new AppError('PLATFORM_STOPPED');
}

type NewRun = {
  readonly runId: SagaRunId;
  readonly order: Order;
  readonly start: SagaStart;
  readonly partOf?: SequenceRun;
};

/** Writes the changed order with its active run, the saga run and the first command in one unit of work. */
export function startRun(tx: UnitOfWork, { runId, order, start, partOf }: NewRun, origin: Origin): Order {
  const { requestedBy = origin.actor.id, reason = null, resolution = null, cause = null, fee = null, starts, ...change } = start;
  const input = { requestedBy, reason, resolution, cause, fee, partOf: partOf ?? null };
  return applyChange(tx, orderKind, order, { change: { ...change, starts: { ...starts, runId, input } }, origin });
}

type NextRun = { readonly runId: SagaRunId; readonly start: () => Promise<OrderId> };

/** Starts a run and waits for its outcome. The wait begins first, so that an immediate outcome is not missed. */
export async function waitForRun(deps: Deps, { runId, start }: NextRun, ctx: Context): Promise<OrderRecord> {
  deps.runs.requireAccepting();
  const waiting = new AbortController();
  const expected = deps.runs.wait(runId, deps.timeoutMs, waiting.signal);
  expected.catch(() => undefined); // it may reject before the run has started, and is awaited only afterwards
  const orderId = await start().catch((error: unknown) => {
    waiting.abort();
    throw error;
  });
  const outcome = await outcomeOf(deps, { expected, orderId }, ctx);
  if (outcome.status === 'failed') throw new AppError(outcome.code, outcome.details);
  return outcome.record;
}

type StartedRun = { readonly expected: Promise<OrderOutcome>; readonly orderId: OrderId };

/** PROVIDER_TIMEOUT at the time limit: the run continues. */
export function outcomeOf(deps: Deps, { expected, orderId }: StartedRun, ctx: Context): Promise<OrderOutcome> {
  return expected.catch(async (error: unknown) => {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    const order = await deps.orders.find(ctx.caller.marketplaceId, orderId);
    throw new AppError('PROVIDER_TIMEOUT', { orderStatus: order?.status ?? null }, { cause: error });
  });
}
