import { hash } from 'node:crypto';
import { toEpochMs, toInstant, type Instant } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import { RepeatTransaction, type Database, type Tx } from '@holdfast/shared/postgres';
import { sealing, type Sealing } from '@holdfast/shared/secrets';
import type { Deps, Operation, Work } from '../use-cases/ports.js';
import { workIn, type WorkDeps } from './work.js';

export type OperationDeps = WorkDeps & {
  readonly database: Database;
  /** What results are encrypted with. */
  readonly key: Buffer;
};

/** As long as an Idempotency-Key counts. */
const keptMs = 24 * 3_600_000;

type OperationRow = { readonly fingerprint: string; readonly result: Buffer };

const findOperation = `
  select fingerprint, result
  from operations
  where id = $1
    and done_at > $2`;

const keepOperation = `
  insert into operations (id, fingerprint, result, done_at)
  values ($1, $2, $3, $4)
  on conflict (id) do update
  set fingerprint = excluded.fingerprint,
    result = excluded.result,
    done_at = excluded.done_at
  where operations.done_at <= $5
  returning id`;

const forgetOperations = `
  delete from operations
  where done_at <= $1`;

/**
 * Effect and result commit together. A rival with the same operation id finds the result when it comes later, and has its
 * transaction repeated, and then finds it, when both ran at the same time.
 */
export function performer({ database, key, ...deps }: OperationDeps): Deps['perform'] {
  const seal = sealing(key);
  return (operation, work) => database.inTransaction((tx) => performOnce({ tx, seal, deps }, operation, work));
}

type Performing = { readonly tx: Tx; readonly seal: Sealing; readonly deps: WorkDeps };

async function performOnce<Result>(
  { tx, seal, deps }: Performing,
  operation: Operation,
  work: (tx: Work) => Promise<Result>,
): Promise<Result> {
  const { ctx } = operation;
  const { operationId } = ctx;
  if (operationId === undefined) return work(workIn(tx, deps, ctx));
  const fingerprint = fingerprintOf(operation);
  const expired = before(ctx.at);
  const [done] = await tx.query<OperationRow>(findOperation, [operationId, expired]);
  if (done !== undefined) return firstResult(seal, operationId, done, fingerprint) as Result;
  const result = await work(workIn(tx, deps, ctx));
  const sealed = seal.close(Buffer.from(JSON.stringify(result)), operationId);
  const kept = await tx.query(keepOperation, [operationId, fingerprint, sealed, ctx.at, expired]);
  if (kept.length === 0) throw new RepeatTransaction('the operation was done meanwhile');
  return result;
}

function firstResult(seal: Sealing, operationId: string, done: OperationRow, fingerprint: string): unknown {
  if (done.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(seal.open(done.result, operationId).toString());
}

/** The same operation is the same thing done to the same input for the same marketplace. */
function fingerprintOf({ name, input, ctx }: Operation): string {
  return hash('sha256', JSON.stringify([name, ctx.caller.marketplaceId, input]));
}

function before(at: Instant): Instant {
  return toInstant(toEpochMs(at) - keptMs);
}

/** Results that count no longer are deleted. */
export async function pruneOperations(database: Database, now: Instant): Promise<void> {
  await database.pool.query(forgetOperations, [before(now)]);
}
