import { randomUUID } from 'node:crypto';
import { findOrders } from '@holdfast/all-in-one';
import { callerSigner } from '@holdfast/http/caller';
import { processEnvironment } from '@holdfast/service-host/config';
import { systemClock } from '@holdfast/kernel/context';
import { listSagaRuns, redriveSagaRun, type SagaRunView } from '@holdfast/contracts/http';
import { isAppError } from '@holdfast/kernel/errors';
import { defaultMarketplaceId, isId } from '@holdfast/kernel/ids';
import { createServiceClient, type ServiceClient } from '@holdfast/http/service-client';
import { printError, runCommand } from './command/run-command.js';
import { textTable } from './text-table.js';

/** `npm run sagas -- list` and `npm run sagas -- redrive <run>`: the open saga runs of orders. */
const usage = [
  'npm run sagas -- list            lists open saga runs, oldest first',
  'npm run sagas -- redrive <run>   resends the command that a run waits for',
].join('\n');

const callContext = { requestId: randomUUID(), marketplaceId: defaultMarketplaceId };

await runCommand(run);

async function run([command, runId]: readonly string[]): Promise<number> {
  if (command !== 'list' && (command !== 'redrive' || runId === undefined)) return printError(usage);
  const { url, internalSecret } = findOrders(processEnvironment());
  const signer = callerSigner({ secret: internalSecret, clock: systemClock() });
  const orders = createServiceClient({ from: 'sagas', to: 'orders', baseUrl: url, signer });
  try {
    return command === 'list' ? await list(orders) : await redrive(orders, runId ?? '');
  } finally {
    await orders.close();
  }
}

async function list(orders: ServiceClient): Promise<number> {
  const { runs } = await orders.call(listSagaRuns, {}, callContext);
  if (runs.length === 0) {
    console.log('No saga runs are open.');
    return 0;
  }
  console.log(textTable(['run', 'saga', 'order', 'status', 'since', 'resent', ''], runs.map(rowOf)));
  return 0;
}

function rowOf({ id, saga, orderId, orderStatus, ageMs, attempts, ...run }: SagaRunView): readonly string[] {
  return [id, saga, orderId, orderStatus ?? '', `${(ageMs / 1_000).toFixed(1)} s`, attempts.toString(), remarkOf(run)];
}

function remarkOf(run: Pick<SagaRunView, 'isPastPointOfNoReturn' | 'retryStoppedReason'>): string {
  if (run.retryStoppedReason !== null) return `needs a person: ${run.retryStoppedReason}`;
  return run.isPastPointOfNoReturn ? 'can only go forward' : '';
}

async function redrive(orders: ServiceClient, id: string): Promise<number> {
  if (!isId(id, 'run')) return printError(`"${id}" is not the id of a run; "npm run sagas -- list" shows them.`);
  try {
    const { saga, orderId } = await orders.call(redriveSagaRun, { params: { id } }, callContext);
    console.log(`Resent the command that ${saga} of ${orderId} waits for.`);
    return 0;
  } catch (error) {
    if (isAppError(error, 'NOT_FOUND')) return printError(`${id} is not an open saga run.`);
    throw error;
  }
}
