import type { z } from 'zod';
import {
  getPaymentSagaRun,
  getSagaRun,
  listPaymentSagaRuns,
  listSagaRuns,
  type listSagas,
  openRunStates,
  redrivePaymentSagaRun,
  redriveSagaRun,
  type PaymentSagaRunView,
  type SagaRunPage,
  type SagaRunRecord,
  type SagaRunView,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { isId, type SagaRunId } from '@holdfast/kernel/ids';
import { toPage } from '@holdfast/kernel/pages';
import { askServices, callContextOf, type ServiceClients } from './ask-service.js';

type Filter = z.output<typeof listSagas.query>;

/** Of both services that drive runs, oldest first. The cursor is the place of the last run, which both understand. */
export async function listRuns(
  clients: ServiceClients,
  { limit, cursor, ...filter }: Filter,
  ctx: Context,
): Promise<SagaRunPage> {
  const query = queryOf({ ...filter, ...(cursor === undefined ? {} : placeIn(cursor)), limitMax: String(limit + 1) });
  const { answers, unavailable } = await askServices(
    clients,
    [
      ['orders', async (client, context) => (await client.call(listSagaRuns, { query }, context)).runs.map(ofOrders)],
      ['payments', async (client, context) => (await client.call(listPaymentSagaRuns, { query }, context)).runs.map(ofPayments)],
    ],
    ctx,
  );
  const runs = answers.flatMap(({ found }) => found).toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
  const { items, nextCursor } = toPage(runs, limit, (run) => Buffer.from(placeOf(run)).toString('base64url'));
  return { runs: [...items], unavailable, hasMore: nextCursor !== null, nextCursor };
}

type Wanted = { readonly id: SagaRunId };

/** NOT_FOUND only if both services say so. */
export async function findRun(clients: ServiceClients, { id }: Wanted, ctx: Context): Promise<SagaRunRecord> {
  const context = callContextOf(ctx);
  const found = await Promise.allSettled([
    call(clients, 'orders', async (client) => ofOrders(await client.call(getSagaRun, { params: { id } }, context))),
    call(clients, 'payments', async (client) => ofPayments(await client.call(getPaymentSagaRun, { params: { id } }, context))),
  ]);
  const [run] = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
  if (run !== undefined) return run;
  const failed = found.find((each) => each.status === 'rejected' && !isAppError(each.reason, 'NOT_FOUND'));
  if (failed?.status === 'rejected') throw failed.reason;
  throw new AppError('NOT_FOUND', { sagaRunId: id });
}

type Redrive = Wanted & { readonly by: string; readonly reason: string };

/** Only an open run waits for a command. */
export async function redriveRun(clients: ServiceClients, { id, ...operator }: Redrive, ctx: Context): Promise<SagaRunRecord> {
  const { service, state, endedAt } = await findRun(clients, { id }, ctx);
  if (endedAt !== null) throw new AppError('INVALID_STATE', { currentStatus: state, allowedStatuses: [...openRunStates] });
  const input = { params: { id }, body: { operator } };
  const context = callContextOf(ctx);
  const redriven =
    service === 'orders'
      ? call(clients, service, (client) => client.call(redriveSagaRun, input, context))
      : call(clients, service, (client) => client.call(redrivePaymentSagaRun, input, context));
  await redriven.catch((error: unknown) => {
    // The run has ended meanwhile, or waits for another run of its sequence.
    if (!isAppError(error, 'NOT_FOUND')) throw error;
    throw new AppError('INVALID_STATE', { reason: 'the run waits for no command' }, { cause: error });
  });
  return findRun(clients, { id }, ctx);
}

/** A missing URL rejects, too. */
async function call<Result>(
  clients: ServiceClients,
  service: 'orders' | 'payments',
  work: (client: ServiceClient) => Promise<Result>,
): Promise<Result> {
  return work(clients.of(service));
}

function ofOrders({ orderId, orderStatus, ...run }: SagaRunView): SagaRunRecord {
  return { ...run, service: 'orders', aggregateId: orderId, aggregateStatus: orderStatus };
}

function ofPayments(run: PaymentSagaRunView): SagaRunRecord {
  return { ...run, service: 'payments', aggregateStatus: null, currentRunId: null };
}

function placeOf({ begunAt, id }: Pick<SagaRunRecord, 'begunAt' | 'id'>): string {
  return `${begunAt} ${id}`;
}

function placeIn(cursor: string): { readonly afterBegunAt: string; readonly afterId: SagaRunId } {
  const [afterBegunAt = '', afterId = '', ...rest] = Buffer.from(cursor, 'base64url').toString().split(' ');
  if (rest.length === 0 && isId(afterId, 'run') && !Number.isNaN(Date.parse(afterBegunAt))) return { afterBegunAt, afterId };
  throw new AppError('VALIDATION_ERROR', { validationErrors: ['cursor is not an item of this list'] });
}

/** The query without the filters that the operator has left out. */
function queryOf(query: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  return Object.fromEntries(given);
}
