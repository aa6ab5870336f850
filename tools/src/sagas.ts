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
import { callContext, onService } from './command/on-service.js';
import { asCalled, printError, runCommand } from './command/run-command.js';
import { resolve } from './sagas/resolve.js';
import { isPaymentId, parseResolveOptions, type PaymentId, type ResolveOptions } from './sagas/resolve-options.js';
import { keyVariable, resolvePayment } from './sagas/resolve-payment.js';
import { textTable } from './text-table.js';

/** `npm run sagas -- list`, `redrive <run>` and `resolve <run>`: the open saga runs of orders and payments. */
const usage = [
  'npm run sagas -- list            lists open saga runs, oldest first',
  'npm run sagas -- redrive <run>   resends the command that a run waits for',
  'npm run sagas -- resolve <run> --as succeeded|failed --by <name> --evidence <text> [--transaction <hash>] [--contract <id>]',
  '                                 ends a run that cannot end by itself, as a named person has decided. It is audited, and the',
  '                                 books are checked before and after. "succeeded" needs the transaction on the ledger network',
  '                                 that proves it, and for a deployment the contract. Above SAGA_RESOLVE_APPROVAL_AMOUNT a second',
  '                                 person confirms with the same command and their own name.',
  'HOLDFAST_API_KEY=… npm run sagas -- resolve <run, top-up, withdrawal or case> --as succeeded|failed --by <name> --evidence <text>',
  '                                 the same for payments. The payment provider, or the ledger network with --transaction, must prove',
  '                                 the outcome. The API key needs the scope support; above SAGA_RESOLVE_APPROVAL_AMOUNT a second',
  '                                 person confirms with the same command and another API key.',
].join('\n');

await runCommand(run);

async function run([command, ...args]: readonly string[]): Promise<number> {
  if (command === '--help') {
    console.log(asCalled(usage));
    return 0;
  }
  if (command === 'list') return onBoth(list);
  const [runId] = args;
  if (command === 'redrive' && runId !== undefined) return onBoth((services) => redrive(services, runId));
  if (command !== 'resolve') return printError(usage);
  const options = parseResolveOptions(args);
  if (typeof options === 'string') return printError(`${options}\n\n${usage}`);
  return resolveAny(options);
}

/** Runs of payments are resolved as what they are about. */
async function resolveAny({ id, ...options }: ResolveOptions): Promise<number> {
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

function onBoth(work: (services: Services) => Promise<number>): Promise<number> {
  return onService('sagas', 'orders', (orders) => onService('sagas', 'payments', (payments) => work({ orders, payments })));
}

async function list({ orders, payments }: Services): Promise<number> {
  const ofOrders = await orders.call(listSagaRuns, {}, callContext);
  const ofPayments = await payments.call(listPaymentSagaRuns, {}, callContext);
  const rows = [...ofOrders.runs.map(rowOfOrder), ...ofPayments.runs.map(rowOfPayment)];
  if (rows.length === 0) {
    console.log('No saga runs are open.');
    return 0;
  }
  console.log(textTable(['run', 'saga', 'about', 'status', 'since', 'resent', ''], rows));
  return 0;
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

async function redrive({ orders, payments }: Services, id: string): Promise<number> {
  if (!isId(id, 'run')) return printError(`"${id}" is not the id of a run; "npm run sagas -- list" shows them.`);
  const params = { id };
  const resent =
    (await unlessUnknown(orders.call(redriveSagaRun, { params }, callContext))) ??
    (await unlessUnknown(payments.call(redrivePaymentSagaRun, { params }, callContext)));
  if (resent === undefined) return printError(`${id} is not an open saga run.`);
  const about = 'orderId' in resent ? resent.orderId : resent.aggregateId;
  console.log(`Resent the command that ${resent.saga} of ${about} waits for.`);
  return 0;
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
