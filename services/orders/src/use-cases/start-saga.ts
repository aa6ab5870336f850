import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { OrderId, SagaRunId } from '@holdfast/kernel/ids';
import type { SagaName } from '../domain/order.js';
import { requireNotStopped } from './require-not-stopped.js';
import { requireOrder } from './require-order.js';
import { originOfRequest } from './origin.js';
import type { Deps, ExpectedOutcome, LockedOrder, OrderKey, SagaOutcome } from './ports.js';
import { startRun, type SagaStart } from './start-run.js';

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
      const sagaStart = decide(locked);
      requireNotStopped(deps, saga, locked);
      startRun(tx, { runId, saga, order: locked.order, sagaStart }, originOfRequest(ctx, { saga, runId }));
      return orderId;
    });
  return waitForRun(deps, { runId, start }, ctx);
}

type NextRun = { readonly runId: SagaRunId; readonly start: () => Promise<OrderId> };

/** Starts a run and waits for its outcome. The wait begins first, so that an immediate outcome is not missed. */
export async function waitForRun(deps: Deps, { runId, start }: NextRun, ctx: Context): Promise<OrderRecord> {
  deps.runs.requireAccepting();
  const expected = deps.runs.expect(runId, 1);
  const orderId = await start().catch((error: unknown) => {
    expected.cancel();
    throw error;
  });
  const outcome = await outcomeOf(deps, { expected, orderId }, ctx);
  if (outcome.status === 'failed') throw new AppError(outcome.code, outcome.details);
  return outcome.record;
}

type StartedRun = { readonly expected: ExpectedOutcome; readonly orderId: OrderId };

/** PROVIDER_TIMEOUT at the time limit: the run goes on. */
export function outcomeOf(deps: Deps, { expected, orderId }: StartedRun, ctx: Context): Promise<SagaOutcome> {
  return expected.outcome.catch(async (error: unknown) => {
    if (!isAppError(error, 'PROVIDER_TIMEOUT')) throw error;
    const order = await deps.orders.find(ctx.caller.marketplaceId, orderId);
    throw new AppError('PROVIDER_TIMEOUT', { orderStatus: order?.status ?? null }, { cause: error });
  });
}
