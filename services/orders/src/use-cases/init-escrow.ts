import type { Context } from '@holdfast/kernel/context';
import type { OrderRecord } from '@holdfast/contracts/http';
import { initEscrow as sequence } from '@holdfast/contracts/sagas';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId, ProjectId, SagaRunId, UserId } from '@holdfast/kernel/ids';
import { formatMoney, isLess, type Money } from '@holdfast/kernel/money';
import { originOfRequest, type Failure } from '@holdfast/sagas';
import type { Order } from '../domain/order.js';
import { orderOfProject, requireNotCanceled, type Project } from '../domain/project.js';
import { startInSequence } from './continue-sequence.js';
import { buildOrder, insertOrder, userIdOf, withKnownUsers } from './new-order.js';
import type { Deps, LockedProject, NewOrderFacts, PlatformState, UnitOfWork } from './ports.js';
import { recordOf } from './records.js';
import { outcomeOf, requireNotStopped } from './start-saga.js';

export type InitEscrow = {
  readonly buyerId: UserId;
  readonly projectId: ProjectId;
  readonly sellerId: string;
  readonly amount: Money;
};

/**
 * Creates an order for a project and reserves, deploys and funds it. Either the escrow is funded, or the money is available again. The
 * same request again gets the result of the first one. A refused request leaves nothing behind; only if the money is spent between the
 * check and the reservation, the order is canceled.
 */
export async function initEscrow(deps: Deps, input: InitEscrow, ctx: Context): Promise<OrderRecord> {
  const runId = deps.newId('run');
  const begun = await begin(deps, input, runId, ctx);
  if ('record' in begun) return begun.record;
  const expected = deps.runs.wait(begun.runId, deps.timeoutMs * sequence.sagas.length);
  const outcome = await outcomeOf(deps, { expected, orderId: begun.orderId }, ctx);
  if (outcome.status === 'failed') throw explained(outcome);
  return outcome.record;
}

/** The run that pays into the escrow, also if an earlier request has started it, or the order that has paid already. */
type Begun = { readonly runId: SagaRunId; readonly orderId: OrderId } | { readonly record: OrderRecord };

async function begin(deps: Deps, input: InitEscrow, runId: SagaRunId, ctx: Context): Promise<Begun> {
  const { projectId, buyerId, amount } = input;
  const { marketplaceId } = ctx.caller;
  const userIds = [buyerId, userIdOf(input.sellerId)];
  const id = deps.newId('ord');
  const whenCommitted = (): Begun => ({ runId, orderId: id });
  const key = { id, marketplaceId, userIds, clientOrderRef: null, projectId, whenCommitted };
  deps.runs.requireAccepting();
  // Read before the transaction, which makes no network calls. A failure matters only if an order is to be created.
  const [available] = await Promise.allSettled([deps.balances.available(buyerId, amount.currency, ctx)]);
  return withKnownUsers(deps, { userIds, ctx }, () =>
    deps.onNewOrder(key, (tx, facts): Begun => {
      const { project, order, isStopped } = requireProject(facts.project, input);
      const existing = orderOfProject(order);
      if (existing !== undefined) return resultOf(existing, input);
      startOrder(deps, tx, { id, runId, project, isStopped, input, facts, available }, ctx);
      return { runId, orderId: id };
    }),
  );
}

/** Another person's project is as unknown as one that does not exist. */
function requireProject(locked: LockedProject | undefined, { projectId, buyerId }: InitEscrow): LockedProject {
  if (locked?.project.ownerId !== buyerId) throw new AppError('PROJECT_NOT_FOUND', { projectId });
  requireNotCanceled(locked.project);
  return locked;
}

/** A project has one escrow at a time. */
function resultOf(order: Order, { sellerId, amount }: InitEscrow): Begun {
  const isSame = order.sellerId === sellerId && order.amount.units === amount.units && order.amount.currency === amount.currency;
  if (!isSame) throw new AppError('INVALID_STATE', { orderId: order.id }, { message: 'The project has another escrow' });
  const run = order.activeRun?.partOf ?? null;
  return run === null ? { record: recordOf(order) } : { runId: run.runId, orderId: order.id };
}

type NewOrderOfProject = PlatformState & {
  readonly id: OrderId;
  readonly runId: SagaRunId;
  readonly project: Project;
  readonly input: InitEscrow;
  readonly facts: NewOrderFacts;
  readonly available: PromiseSettledResult<Money>;
};

function startOrder(deps: Deps, tx: UnitOfWork, given: NewOrderOfProject, ctx: Context): void {
  const { id, runId, project, isStopped, input, facts, available } = given;
  const { buyerId, sellerId, amount } = input;
  if (sellerId === buyerId) throw new AppError('VALIDATION_ERROR', { validationErrors: ['seller_id must not be yourself'] });
  const { title, description, marketplaceId } = project;
  const order = buildOrder(
    deps,
    {
      id,
      facts,
      input: {
        buyerId,
        sellerId,
        amount: formatMoney(amount),
        currency: amount.currency,
        title,
        ...(description === '' ? {} : { description }),
        metadata: { projectId: project.id },
      },
    },
    ctx,
  );
  requireFunds(available, amount);
  // The first saga of the sequence reserves, which signs nothing, but the next ones would wait for the end of the stop.
  for (const saga of sequence.sagas) requireNotStopped(deps, saga, { isStopped });
  const origin = originOfRequest(ctx);
  const inserted = insertOrder(tx, order, origin);
  tx.runs.start({ id: runId, saga: sequence.name, aggregateId: id, marketplaceId, correlationId: ctx.requestId });
  startInSequence(tx, { order: inserted, saga: sequence.sagas[0], sequence: { runId, failure: null } }, origin);
  tx.setOrderOfProject(project.id, id);
}

function requireFunds(available: PromiseSettledResult<Money>, amount: Money): void {
  if (available.status === 'rejected') throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: available.reason });
  if (!isLess(available.value, amount)) return;
  throw new AppError('INSUFFICIENT_FUNDS', {
    requested: formatMoney(amount),
    available: formatMoney(available.value),
    currency: amount.currency,
  });
}

/** The failure of a run that has ended, so it is compensated. */
function explained({ code, details = {} }: Failure): AppError {
  const failure = new AppError(code, details);
  if (code === 'INSUFFICIENT_FUNDS') return failure;
  const { reason = failure.message } = details;
  const message = `The escrow could not be funded, and the money is available again: ${String(reason)}`;
  return new AppError('SERVICE_UNAVAILABLE', details, { message, cause: failure });
}
