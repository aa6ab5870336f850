import type { Context } from '@holdfast/shared/context';
import type { OrderRecord } from '@holdfast/shared/contracts/http';
import { AppError, isAppError, type ErrorCode, type ErrorDetails } from '@holdfast/shared/errors';
import type { OrderId, SagaRunId } from '@holdfast/shared/ids';
import type { Operation, Order, SagaName } from '../domain/order.js';
import { askOf } from './asks.js';
import { commit, type Change } from './change.js';
import { heldOrder } from './held.js';
import { originOfRequest, type Origin } from './origin.js';
import type { Deps, Held, Work } from './ports.js';
import { recordOf } from './records.js';

/** How an operation begins: the change it makes at once, and what its later steps must know. */
export type Beginning = Change & Partial<Pick<Operation, 'requestedBy' | 'reason' | 'resolution'>>;

/** Begins an operation and waits for its end. */
export async function operate(
  deps: Deps,
  { saga, orderId }: { readonly saga: SagaName; readonly orderId: OrderId },
  ctx: Context,
  decide: (held: Held) => Beginning,
): Promise<OrderRecord> {
  const runId = deps.newId('run');
  const key = { marketplaceId: ctx.caller.marketplaceId, orderId, creates: runId, whenCommitted: () => orderId };
  const start = () =>
    deps.onOrder(key, (tx, found) => {
      const held = heldOrder(found, orderId);
      return begin(tx, { runId, saga, order: held.order, beginning: decide(held) }, ctx);
    });
  return settledRecord(deps, { runId, start }, ctx);
}

type Begin = { readonly runId: SagaRunId; readonly saga: SagaName; readonly order: Order; readonly beginning: Beginning };

/** One commit: the order is marked as busy, the run exists, and the others are asked. */
export function begin(tx: Work, { runId, saga, order, beginning }: Begin, ctx: Context): OrderId {
  const { id: orderId, marketplaceId } = order;
  const { requestedBy = ctx.caller.id, reason = null, resolution = null, ...change } = beginning;
  tx.runs.begin({ id: runId, saga, orderId, marketplaceId, requestId: ctx.requestId });
  const origin = originOfRequest(ctx, { saga, runId });
  const operation: Operation = { runId, saga, actor: origin.actor, requestedBy, reason, resolution };
  const after = { ...change.after, operation };
  const ask = askOf(after);
  commit(tx, order, { ...change, after, events: [...change.events, ...(ask === undefined ? [] : [ask])] }, origin);
  return orderId;
}

type NextRun = { readonly runId: SagaRunId; readonly start: () => Promise<OrderId> };

/** Starts a run and waits for its end. */
export async function settledRecord(deps: Deps, { runId, start }: NextRun, ctx: Context): Promise<OrderRecord> {
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

/** Why an operation came to nothing. */
export type Failure = { readonly code: ErrorCode; readonly details: ErrorDetails };

/** The end of the operation under way: the order is free again, and whoever waits is answered. */
export function end(tx: Work, before: Order, ending: Change & { readonly failure?: Failure }, origin: Origin): Order {
  const { failure, ...change } = ending;
  const order = commit(tx, before, { ...change, after: { ...change.after, operation: null } }, origin);
  if (before.operation === null) return order;
  const outcome =
    failure === undefined
      ? ({ status: 'succeeded', record: recordOf(order) } as const)
      : ({ ...failure, status: 'failed' } as const);
  tx.runs.close(before.operation.runId, outcome);
  return order;
}
