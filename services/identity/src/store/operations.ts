import { hash, randomUUID } from 'node:crypto';
import { MoreThan } from 'typeorm';
import { retry } from '@holdfast/kernel/async';
import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { deleteInBatches, OutcomeUnknown, TransactionConflict, type Database, type Tx } from '@holdfast/postgres';
import { sealing, type Sealing } from '@holdfast/kernel/secrets';
import type { Deps, Operation, UnitOfWork } from '../use-cases/ports.js';
import { operationSchema, upsertOperations, type OperationRow } from './schema.js';
import { createUnitOfWork, type UnitOfWorkDeps } from './unit-of-work.js';

export type OperationDeps = UnitOfWorkDeps & {
  readonly database: Database;
  /** Encrypts the stored results. */
  readonly key: Buffer;
};

/** The same period as for an Idempotency-Key. */
const retentionMs = 24 * 3_600_000;

/** Retries of an operation whose COMMIT has an unknown outcome. */
const unknownRetries = { attemptsMax: 5, firstDelayMs: 50, delayMsMax: 1_000 } as const;

/**
 * Runs each operation once. The effect and the result are one commit, under the operation id of the request or, where it has none,
 * under an id generated before the first attempt. After an unknown outcome the operation is repeated under the same id: if it
 * was committed, its stored result is returned.
 */
export function performer({ database, key, ...deps }: OperationDeps): Deps['perform'] {
  const seal = sealing(key);
  return async (operation, work) => {
    const operationId = operation.ctx.operationId ?? randomUUID();
    const perform = () => database.inTransaction((tx) => performOnce({ tx, seal, deps, operationId }, operation, work));
    try {
      return await perform();
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error;
      return retry(perform, { ...unknownRetries, shouldRetry: (failure) => isAppError(failure, 'SERVICE_UNAVAILABLE') });
    }
  };
}

type Performing = { readonly tx: Tx; readonly seal: Sealing; readonly deps: UnitOfWorkDeps; readonly operationId: string };

/** A concurrent transaction with the same operation id finds the result, or conflicts and is repeated. */
async function performOnce<Result>(
  { tx, seal, deps, operationId }: Performing,
  operation: Operation,
  work: (tx: UnitOfWork) => Promise<Result>,
): Promise<Result> {
  const { ctx } = operation;
  const fingerprint = fingerprintOf(operation);
  const done = await tx.manager.findOneBy(operationSchema, { id: operationId, doneAt: MoreThan(expiredBefore(ctx.at)) });
  if (done !== null) return firstResult(seal, done, fingerprint) as Result;
  const result = await work(createUnitOfWork(tx, deps, ctx));
  const sealed = seal.close(Buffer.from(JSON.stringify(result)), operationId);
  const stored = await tx.query(upsertOperations([{ id: operationId, fingerprint, result: sealed, doneAt: ctx.at }]));
  if (stored.length === 0) throw new TransactionConflict('a concurrent transaction has stored the result of the operation');
  return result;
}

function firstResult(seal: Sealing, done: OperationRow, fingerprint: string): unknown {
  if (done.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED');
  return JSON.parse(seal.open(done.result, done.id).toString());
}

/** Requests with the same operation id must have the same name, input and marketplace. */
function fingerprintOf({ name, input, ctx }: Operation): string {
  return hash('sha256', JSON.stringify([name, ctx.caller.marketplaceId, input]));
}

function expiredBefore(at: Instant): Instant {
  return toInstant(toEpochMs(at) - retentionMs);
}

/** Deletes expired results. */
export async function pruneOperations({ lists }: Pick<Database, 'lists'>, now: Instant, signal: AbortSignal): Promise<void> {
  const old = { table: 'operations', where: 'done_at <= $2', values: [expiredBefore(now)] };
  await deleteInBatches({ lists }, old, signal);
}
