import { setTimeout as pause } from 'node:timers/promises';
import { getSagaResolution, listSagaRuns, resolveSagaRun, type SagaRunView } from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { isAppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { onInstallation } from '../command/on-installation.js';
import { callContext } from '../command/on-service.js';
import { printError } from '../command/run-command.js';
import { verifyBooks } from '../verify-ledger/verify-books.js';
import type { ResolveOptions } from './resolve-options.js';

/** A run of orders. */
export type RunOptions = Omit<ResolveOptions, 'id'> & { readonly runId: SagaRunId };

type Services = { readonly orders: ServiceClient; readonly adapter: ServiceClient };

/**
 * Ends a run that cannot end by itself. The books are checked before, because a resolution must not build on wrong ones, and after
 * the run has ended. A command that died in between is repeated: the resolution is one commit of escrow-adapter, and a repeat finds it.
 */
export async function resolve({ orders, adapter }: Services, options: RunOptions): Promise<number> {
  const { runId, outcome, transactionHash } = options;
  if (outcome === 'succeeded' && transactionHash === undefined)
    return printError('--as succeeded needs --transaction with the hash that proves it.');
  const run = await openRun(orders, runId);
  if (run === undefined) return reportEarlier(adapter, options);
  const unresolvable = refusalOf(run);
  if (unresolvable !== undefined) return printError(unresolvable);
  if ((await onInstallation(verifyBooks)) !== 0) {
    return printError('Nothing was resolved: the books must be sound before a person moves money by a decision.');
  }
  const resolved = await requestResolution(adapter, run, options);
  if (resolved === undefined) return 1;
  if (resolved.status === 'PENDING_APPROVAL') {
    console.log(`PENDING_APPROVAL: stored. Another person must now repeat the command with the same values (${amountNote}).`);
    return 0;
  }
  console.log(`${run.saga} of ${run.orderId} is resolved as ${resolved.outcome}.`);
  if (!(await hasEnded(orders, runId))) return printError('The run has not ended yet; "npm run sagas -- list" shows it.');
  return onInstallation(verifyBooks);
}

/** For a run that is not open: the command may have resolved it and died before it could say so. */
async function reportEarlier(adapter: ServiceClient, { runId, outcome }: RunOptions): Promise<number> {
  const earlier = await findResolution(adapter, runId);
  if (earlier?.status !== 'RESOLVED') {
    return printError(`${runId} is not an open saga run; the audit log says how a run was resolved.`);
  }
  const { requestedBy, approvedBy } = earlier;
  const persons = approvedBy === null ? requestedBy : `${requestedBy} and ${approvedBy}`;
  const fact = `The run of ${earlier.orderId} has ended: ${persons} resolved it as ${earlier.outcome}.`;
  if (earlier.outcome !== outcome) return printError(fact);
  console.log(fact);
  return onInstallation(verifyBooks);
}

async function findResolution(adapter: ServiceClient, runId: SagaRunId) {
  try {
    return await adapter.call(getSagaResolution, { params: { id: runId } }, callContext);
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) return undefined;
    throw error;
  }
}

const amountNote = 'the order is above SAGA_RESOLVE_APPROVAL_AMOUNT';

/** The list has the oldest runs, and a run that needs a person is old. */
async function openRun(orders: ServiceClient, runId: string): Promise<SagaRunView | undefined> {
  const { runs } = await orders.call(listSagaRuns, {}, callContext);
  return runs.find(({ id }) => id === runId);
}

function refusalOf({ isPastPointOfNoReturn, retryStoppedReason, id, saga, currentRunId }: SagaRunView): string | undefined {
  if (currentRunId !== null) return `${saga} is a sequence of sagas; resolve the run of its current one, ${currentRunId}.`;
  if (isPastPointOfNoReturn || retryStoppedReason !== null) return undefined;
  return `${id} can still end by itself, or is aborted at its deadline; "npm run sagas -- redrive ${id}" resends its command.`;
}

async function requestResolution(adapter: ServiceClient, run: SagaRunView, { runId, ...body }: RunOptions) {
  try {
    return await adapter.call(resolveSagaRun, { params: { id: runId }, body }, callContext);
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) printError(`Nothing was resolved: ${notStarted(run)}`);
    else if (isAppError(error, 'INVALID_STATE')) printError(`Nothing was resolved: ${textOf(error.details['reason'])}`);
    else throw error;
    return undefined;
  }
}

function notStarted({ id, saga }: SagaRunView): string {
  return `${saga} has no step at the escrow provider yet, so there is nothing to decide; "npm run sagas -- redrive ${id}" resends its command.`;
}

export function textOf(reason: unknown): string {
  return typeof reason === 'string' ? `${reason}.` : 'the state of the run does not allow it.';
}

const pollMs = 500;
const endTimeoutMs = 60_000;

/** The reply travels to orders, and through the ledger where money moves. */
async function hasEnded(orders: ServiceClient, runId: string): Promise<boolean> {
  const deadline = performance.now() + endTimeoutMs;
  while ((await openRun(orders, runId)) !== undefined) {
    if (performance.now() > deadline) return false;
    await pause(pollMs);
  }
  return true;
}
