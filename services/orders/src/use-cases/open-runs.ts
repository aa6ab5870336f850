import { toEpochMs, type Context, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { isPaidOut } from '../domain/escrow.js';
import type { Order } from '../domain/order.js';
import type { OrderStatus } from '../domain/order-states.js';
import type { Deps, OpenRun } from './ports.js';
import { resendCommand } from './resend-command.js';

/** An open run with what an operator needs to judge it. */
export type OpenRunDetails = OpenRun & {
  readonly orderStatus: OrderStatus | null;
  readonly ageMs: number;
  /** Only for the run of a sequence: the run of its current saga, which decides how far it is. */
  readonly currentRunId: SagaRunId | null;
  /** Money has moved, or the run did not end after its abort was requested: nothing but its outcome or an operator ends it. */
  readonly isPastPointOfNoReturn: boolean;
};

export type OpenRunsQuery = { readonly olderThanMs: number; readonly limitMax: number; readonly at: Instant };

/** Oldest first. */
export async function openRuns(deps: Deps, { olderThanMs, limitMax, at }: OpenRunsQuery): Promise<readonly OpenRunDetails[]> {
  const runs = await deps.runs.open(olderThanMs, limitMax);
  const found = await deps.orders.findMany([...new Set(runs.map(({ orderId }) => orderId))]);
  const orders = new Map(found.map((order) => [order.id, order]));
  return runs.map((run) => toDetails(deps, run, orders.get(run.orderId), at));
}

function toDetails({ unabortedAfterMs }: Deps, run: OpenRun, order: Order | undefined, at: Instant): OpenRunDetails {
  const ageMs = Math.max(0, toEpochMs(at) - toEpochMs(run.begunAt));
  const currentRunId = currentRunOf(run, order);
  return {
    ...run,
    orderStatus: order?.status ?? null,
    ageMs,
    currentRunId,
    isPastPointOfNoReturn: currentRunId === null && (cannotGoBack(run, order) || ageMs > unabortedAfterMs),
  };
}

function currentRunOf({ id }: OpenRun, order: Order | undefined): SagaRunId | null {
  return order?.activeRun?.partOf?.runId === id ? order.activeRun.runId : null;
}

/** The first step of a cancel already frees funds. A settlement cannot go back once the contract has paid. */
function cannotGoBack({ saga }: OpenRun, order: Order | undefined): boolean {
  const escrow = order?.escrow ?? null;
  return saga === 'cancel' || (escrow !== null && isPaidOut(escrow));
}

/** Resends the command of a run at once, at an operator's request, and starts its back-off again. NOT_FOUND if it is not active. */
export async function redriveRun(deps: Deps, { id }: { readonly id: SagaRunId }, ctx: Context): Promise<OpenRun> {
  const run = await deps.runs.restartRetries(id);
  if (run === undefined || !(await resendCommand(deps, run, ctx.at))) throw new AppError('NOT_FOUND', { sagaRunId: id });
  ctx.log.warn({ orderId: run.orderId, saga: run.saga, sagaRunId: id }, 'saga command resent by an operator');
  return run;
}
