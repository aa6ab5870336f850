import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isId, type OrderId, type SagaRunId } from '@holdfast/kernel/ids';
import {
  findRun,
  openRuns,
  redriveRun,
  type DrivenRuns,
  type OpenRun,
  type OpenRunsQuery,
  type RedriveRun,
} from '@holdfast/sagas';
import { focusOnRun } from '../domain/focus.js';
import type { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';
import { hasPaidOut, orderKind } from './order-kind.js';
import type { Deps } from './ports.js';

/** Lets the saga runtime act on the orders of open runs. */
export function drivenRuns({ runs, unabortedAfterMs, onOrder }: Deps): DrivenRuns {
  return {
    service: 'orders',
    runs,
    unabortedAfterMs,
    onAggregate: ({ id, marketplaceId, aggregateId }, act) =>
      onOrder({ marketplaceId, orderId: aggregateId }, (tx, { order }) => act(tx, orderKind, focusOnRun(order, id))),
  };
}

/** An open run with what an operator needs to judge it. */
export type OpenRunOfOrder = OpenRun & {
  readonly orderId: OrderId;
  readonly orderStatus: OrderStatus | null;
  /** Only for the run of a sequence: the run of its current saga, which decides how far it is. */
  readonly currentRunId: SagaRunId | null;
};

/** Oldest first. */
export async function openRunsOfOrders(deps: Deps, query: OpenRunsQuery): Promise<readonly OpenRunOfOrder[]> {
  return withOrders(deps, await openRuns(drivenRuns(deps), query));
}

/** Finds the run, also after it has ended. */
export async function findRunOfOrder(deps: Deps, input: { readonly id: SagaRunId }, ctx: Context): Promise<OpenRunOfOrder> {
  const [found] = await withOrders(deps, [await findRun(drivenRuns(deps), input, ctx)]);
  if (found === undefined) throw new AppError('NOT_FOUND', { sagaRunId: input.id });
  return found;
}

async function withOrders(deps: Deps, open: readonly OpenRun[]): Promise<readonly OpenRunOfOrder[]> {
  const runs = open.map((run) => ({ ...run, orderId: orderIdOf(run) }));
  const found = await deps.orders.findMany([...new Set(runs.map(({ orderId }) => orderId))]);
  const orders = new Map(found.map((order) => [order.id, order]));
  return runs.map((run) => toDetails(run, orders.get(run.orderId)));
}

function orderIdOf({ aggregateId }: Pick<OpenRun, 'aggregateId'>): OrderId {
  if (!isId(aggregateId, 'ord')) throw new Error(`a saga run acts on ${aggregateId}, which is not an order`);
  return aggregateId;
}

function toDetails(run: OpenRun & { readonly orderId: OrderId }, order: Order | undefined): OpenRunOfOrder {
  const currentRunId = order?.activeRun?.partOf?.runId === run.id ? order.activeRun.runId : null;
  const hasPaid = order !== undefined && hasPaidOut(focusOnRun(order, run.id));
  const isPastPointOfNoReturn = currentRunId === null && (run.isPastPointOfNoReturn || hasPaid);
  return { ...run, orderStatus: order?.status ?? null, currentRunId, isPastPointOfNoReturn };
}

export async function redriveRunOfOrder(deps: Deps, input: RedriveRun, ctx: Context) {
  const { id, saga, ...run } = await redriveRun(drivenRuns(deps), input, ctx);
  return { id, saga, orderId: orderIdOf(run) };
}
