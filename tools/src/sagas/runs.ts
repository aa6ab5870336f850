import {
  listPaymentSagaRuns,
  listSagaRuns,
  redrivePaymentSagaRun,
  redriveSagaRun,
  type PaymentSagaRunView,
  type SagaRunView,
} from '@holdfast/contracts/http';
import { isAppError } from '@holdfast/kernel/errors';
import { isId } from '@holdfast/kernel/ids';
import type { ServiceClient } from '@holdfast/http/service-client';
import { processEnvironment } from '@holdfast/process/config';
import { callContext, onService } from '../command/on-service.js';
import { printError } from '../command/run-command.js';
import { resolve } from './resolve.js';
import { isPaymentId, type PaymentId, type ResolveOptions } from './resolve-options.js';
import { keyVariable, resolvePayment } from './resolve-payment.js';
import { textTable } from '../text-table/index.js';

/** Open saga runs of orders and of payments. */
export type OpenRun = SagaRunView | PaymentSagaRunView;

/** The open runs of orders, then of payments, each oldest first. */
export function listRuns(): Promise<readonly OpenRun[]> {
  return onBoth(async ({ orders, payments }) => {
    const ofOrders = await orders.call(listSagaRuns, {}, callContext);
    const ofPayments = await payments.call(listPaymentSagaRuns, {}, callContext);
    return [...ofOrders.runs, ...ofPayments.runs];
  });
}

export function textOfRuns(runs: readonly OpenRun[]): string {
  if (runs.length === 0) return 'No saga runs are open.';
  const rows = runs.map((run) => ('orderId' in run ? rowOfOrder(run) : rowOfPayment(run)));
  return textTable(['run', 'saga', 'about', 'status', 'since', 'resent', ''], rows);
}

/** What was resent, or undefined if the run is not open. */
export function redriveRun(id: string): Promise<{ readonly saga: string; readonly about: string } | undefined> {
  return onBoth(async ({ orders, payments }) => {
    if (!isId(id, 'run')) return undefined;
    const params = { id };
    const resent =
      (await unlessUnknown(orders.call(redriveSagaRun, { params }, callContext))) ??
      (await unlessUnknown(payments.call(redrivePaymentSagaRun, { params }, callContext)));
    if (resent === undefined) return undefined;
    return { saga: resent.saga, about: 'orderId' in resent ? resent.orderId : resent.aggregateId };
  });
}

/** Prints what happens. The result is the exit code. */
export async function redriveAndPrint(id: string): Promise<number> {
  if (!isId(id, 'run')) return printError(`"${id}" is not the id of a run; "npm run sagas -- list" shows them.`);
  const resent = await redriveRun(id);
  if (resent === undefined) return printError(`${id} is not an open saga run.`);
  console.log(`Resent the command that ${resent.saga} of ${resent.about} waits for.`);
  return 0;
}

/** Runs of payments are resolved as what they are about. */
export async function resolveAny({ id, ...options }: ResolveOptions): Promise<number> {
  return onService('sagas', 'payments', async (payments) => {
    const paymentId = isPaymentId(id) ? id : await paymentOf(payments, id);
    if (paymentId !== undefined) {
      const { contractId, ...ofPayment } = options;
      if (contractId !== undefined) return printError('Only the deployment of an order has a contract.');
      return resolvePayment(payments, { id: paymentId, ...ofPayment }, processEnvironment()[keyVariable]);
    }
    if (!isId(id, 'run')) return printError(`There is no run with this id; "list" shows them.`);
    return onService('sagas', 'orders', (orders) =>
      onService('sagas', 'escrow-adapter', (adapter) => resolve({ orders, adapter }, { runId: id, ...options })),
    );
  });
}

/** A run of an order can be resolved while payments does not respond. */
async function paymentOf(payments: ServiceClient, runId: string): Promise<PaymentId | undefined> {
  const listed = await payments.call(listPaymentSagaRuns, {}, callContext).catch((error: unknown) => {
    if (isAppError(error, 'SERVICE_UNAVAILABLE') || isAppError(error, 'PROVIDER_TIMEOUT')) return undefined;
    throw error;
  });
  const about = listed?.runs.find(({ id }) => id === runId)?.aggregateId;
  return about !== undefined && isPaymentId(about) ? about : undefined;
}

type Services = { readonly orders: ServiceClient; readonly payments: ServiceClient };

function onBoth<Result>(work: (services: Services) => Promise<Result>): Promise<Result> {
  return onService('sagas', 'orders', (orders) => onService('sagas', 'payments', (payments) => work({ orders, payments })));
}

function rowOfOrder({ orderId, orderStatus, currentRunId, ...run }: SagaRunView): readonly string[] {
  const cells = rowOf(run, orderId, orderStatus ?? '');
  return currentRunId === null ? cells : [...cells.slice(0, -1), `waits for ${currentRunId}`];
}

function rowOfPayment({ aggregateId, ...run }: PaymentSagaRunView): readonly string[] {
  return rowOf(run, aggregateId, '');
}

type CommonView = Omit<SagaRunView, 'orderId' | 'orderStatus' | 'currentRunId'>;

function rowOf({ id, saga, ageMs, attempts, ...run }: CommonView, about: string, status: string): readonly string[] {
  return [id, saga, about, status, `${(ageMs / 1_000).toFixed(1)} s`, attempts.toString(), remarkOf(run)];
}

function remarkOf(run: Pick<SagaRunView, 'isPastPointOfNoReturn' | 'retryStoppedReason'>): string {
  if (run.retryStoppedReason !== null) return `needs a person: ${run.retryStoppedReason}`;
  return run.isPastPointOfNoReturn ? 'can only go forward' : '';
}

/** Undefined if the service has no such run. */
async function unlessUnknown<Found>(call: Promise<Found>): Promise<Found | undefined> {
  try {
    return await call;
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}
