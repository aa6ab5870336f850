import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { OrderId, SagaRunId } from '@holdfast/kernel/ids';
import type { ActiveRun, Order, SagaName } from '../domain/order.js';
import { sagaCommandOf } from './saga-command.js';
import { applyChange, type Change } from './apply-change.js';
import { requireOrder } from './require-order.js';
import { originOfRequest } from './origin.js';
import type { Deps, LockedOrder, OrderKey, UnitOfWork } from './ports.js';

/** The first change of a saga, and the input that its later steps need. */
export type SagaStart = Change & Partial<Pick<ActiveRun, 'requestedBy' | 'reason' | 'resolution'>>;

/** Starts a saga on an order and waits for its outcome. */
export async function startSaga(
  deps: Deps,
  { saga, orderId }: { readonly saga: SagaName; readonly orderId: OrderId },
  ctx: Context,
  decide: (locked: LockedOrder) => SagaStart,
): Promise<OrderRecord> {
  const runId = deps.newId('run');
  const key: OrderKey<OrderId> = {
    marketplaceId: ctx.caller.marketplaceId,
    orderId,
    createdId: runId,
    whenCommitted: () => orderId,
  };
  const start = () =>
    deps.onOrder(key, (tx, found) => {
      const locked = requireOrder(found, orderId);
      return startRun(tx, { runId, saga, order: locked.order, sagaStart: decide(locked) }, ctx);
    });
  return waitForRun(deps, { runId, start }, ctx);
}

type NewSagaStart = { readonly runId: SagaRunId; readonly saga: SagaName; readonly order: Order; readonly sagaStart: SagaStart };

/** Writes the changed order with its active run, the saga run and the first command in one unit of work. */
export function startRun(tx: UnitOfWork, { runId, saga, order, sagaStart }: NewSagaStart, ctx: Context): OrderId {
  const { id: orderId, marketplaceId } = order;
  const { requestedBy = ctx.caller.id, reason = null, resolution = null, ...change } = sagaStart;
  tx.runs.start({ id: runId, saga, orderId, marketplaceId, requestId: ctx.requestId });
  const origin = originOfRequest(ctx, { saga, runId });
  const activeRun: ActiveRun = { runId, saga, actor: origin.actor, startedAt: ctx.at, requestedBy, reason, resolution };
  const after: Order = { ...change.after, activeRun };
  const command = sagaCommandOf(after);
  applyChange(tx, order, { ...change, after, events: [...change.events, ...(command === undefined ? [] : [command])] }, origin);
  return orderId;
}

type NextRun = { readonly runId: SagaRunId; readonly start: () => Promise<OrderId> };

/** Starts a run and waits for its outcome. The wait begins first, so that an immediate outcome is not missed. */
export async function waitForRun(deps: Deps, { runId, start }: NextRun, ctx: Context): Promise<OrderRecord> {
  const expected = deps.runs.expect(runId);
  const orderId = await start().catch((error: unknown) => {
    expected.cancel();
    throw error;
  });
  const outcome = await expected.outcome.catch(async (error: unknown) => {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    const order = await deps.orders.find(ctx.caller.marketplaceId, orderId);
    throw new AppError('PROVIDER_TIMEOUT', { orderStatus: order?.status ?? null }, { cause: error });
  });
  if (outcome.status === 'failed') throw new AppError(outcome.code, outcome.details);
  return outcome.record;
}
