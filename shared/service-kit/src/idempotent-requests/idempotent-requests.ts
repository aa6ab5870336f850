import { hash, randomUUID } from 'node:crypto';
import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/instants';
import { type Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import {
  columnsOf,
  deleteInBatches,
  insertMany,
  lockKey,
  lookUpOrCommit,
  OutcomeUnknown,
  selectList,
  TransactionConflict,
  type Database,
  type Tx,
} from '@holdfast/postgres';
import { sealing, type Sealing } from '@holdfast/kernel/secrets';

/** An idempotent request: its name and input, under the operation id of the context or a generated one. */
export type IdempotentRequest = { readonly name: string; readonly input: unknown; readonly ctx: Context };

/** Runs the work in one transaction, once: a repeated operation gets the first result, also after an unknown outcome. */
export type Perform = <Result>(request: IdempotentRequest, work: (tx: Tx) => Promise<Result>) => Promise<Result>;

export type PerformerOptions = {
  readonly database: Pick<Database, 'inTransaction'>;
  /** Encrypts the stored results. */
  readonly key: Buffer;
};

type OperationRow = { readonly id: string; readonly fingerprint: string; readonly result: Buffer; readonly doneAt: Instant };

const operationColumns = columnsOf<OperationRow>()({
  id: { column: 'id', type: 'text', isPrimary: true },
  fingerprint: { column: 'fingerprint', type: 'text' },
  result: { column: 'result', type: 'bytea' },
  doneAt: { column: 'done_at', type: 'timestamptz' },
});

const findOperation = {
  name: 'find-operation',
  text: `
  select ${selectList(operationColumns, 'idempotent_requests')}
  from idempotent_requests
  where id = $1
    and done_at > $2`,
};

/** Replaces an expired result; returns no row where the existing result has not expired. */
const upsertOperations = insertMany({
  name: 'upsert-operations',
  table: 'idempotent_requests',
  columns: operationColumns,
  suffix: `on conflict (id) do update
  set fingerprint = excluded.fingerprint,
    result = excluded.result,
    done_at = excluded.done_at
  where idempotent_requests.done_at <= excluded.done_at - interval '24 hours'
  returning id`,
});

/** The same period as for an Idempotency-Key. */
const retentionMs = 24 * 3_600_000;

/**
 * Runs each operation once. The effect and the result are one commit, under the operation id of the request or, where it has none,
 * under an id generated before the first attempt. After an unknown outcome the operation is repeated under the same id: if it
 * was committed, its stored result is returned.
 */
export function createPerformer({ database, key }: PerformerOptions): Perform {
  const sealer = sealing(key);
  return async (operation, work) => {
    const operationId = operation.ctx.operationId ?? randomUUID();
    const perform = () => database.inTransaction((tx) => performOnce({ tx, sealer, operationId }, operation, work));
    try {
      return await perform();
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
      return lookUpOrCommit(perform);
    }
  };
}

type Performing = { readonly tx: Tx; readonly sealer: Sealing; readonly operationId: string };

async function performOnce<Result>(
  { tx, sealer, operationId }: Performing,
  operation: IdempotentRequest,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  const { ctx } = operation;
  const fingerprint = fingerprintOf(operation);
  // Requests with the same operation id run one after the other, so that each finds the result of the one before.
  await lockKey(tx, `holdfast:operation:${operationId}`);
  const [done] = await tx.query<OperationRow>(findOperation, [operationId, expiredBefore(ctx.at)]);
  // eslint-disable-next-line holdfast/no-type-assertion -- the fingerprint proves that the same operation stored it
  if (done !== undefined) return firstResult(sealer, done, fingerprint) as Result;
  const result = await work(tx);
  const sealed = sealer.seal(Buffer.from(JSON.stringify(result)), operationId);
  const stored = await tx.query(upsertOperations([{ id: operationId, fingerprint, result: sealed, doneAt: ctx.at }]));
  if (stored.length === 0) throw new TransactionConflict('a concurrent transaction has stored the result of the operation');
  return result;
}

function firstResult(sealer: Sealing, done: OperationRow, fingerprint: string): unknown {
  if (done.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(sealer.open(done.result, done.id).toString());
}

/** Requests with the same operation id must have the same name, input and marketplace. */
function fingerprintOf({ name, input, ctx }: IdempotentRequest): string {
  return hash('sha256', JSON.stringify([name, ctx.caller.marketplaceId, input]));
}

function expiredBefore(at: Instant): Instant {
  return toInstant(toEpochMs(at) - retentionMs);
}

/** Deletes expired results. */
export async function pruneIdempotentRequests(
  { lists }: Pick<Database, 'lists'>,
  now: Instant,
  signal: AbortSignal,
): Promise<void> {
  const old = { table: 'idempotent_requests', where: 'done_at <= $2', values: [expiredBefore(now)] };
  await deleteInBatches({ lists }, old, signal);
}
