import { createBatcher } from '@holdfast/messaging/batching';
import { toEpochMs, toInstant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { deleteInBatches, type Database, type Tx } from '@holdfast/postgres';
import { claimMs, decideIdempotency, retentionMs, type IdempotencyRecord } from '../idempotency-decision.js';
import type { Claim, Claimed, IdempotencyRecords, RecordKey } from '../idempotency.js';
import { claimKeys, idempotencyRecords, type IdempotencyRow } from './schema.js';
import { renewClaims } from './sql/renew-claims.js';
import { completedRows, completeKeys } from './sql/complete-keys.js';

type Completed = RecordKey & { readonly claimId: string; readonly response: Buffer | undefined };

const batchLimits = {
  sizeMax: 128,
  batchDelayMs: 2,
  inFlightMax: 2,
  waitingMax: 5_000,
  overflow: () => new AppError('SERVICE_UNAVAILABLE'),
};

/** Stores the records in Postgres. Concurrent requests are batched into one commit. */
export function idempotencyStore(database: Database): IdempotencyRecords {
  const claims = createBatcher({ ...batchLimits, run: (items: readonly Claim[]) => claimNew(database, items) });
  const completions = createBatcher({ ...batchLimits, run: (items: readonly Completed[]) => complete(database, items) });
  return {
    claim: async (claim) => {
      const isNew = await claims.submit(claim);
      if (isNew) return { decision: 'begin', createdAtMs: claim.nowMs, response: undefined };
      return database.inTransaction((tx) => claimKnown(tx, claim, { ignoresResponse: false }));
    },
    reclaim: (claim) => database.inTransaction((tx) => claimKnown(tx, claim, { ignoresResponse: true })),
    complete: (completed) => completions.submit(completed),
    renew: async (claimIds, nowMs) => {
      await database.pool.query(renewClaims, [claimIds, toInstant(nowMs + claimMs)]);
    },
  };
}

/** Of two claims of one key in the same batch, `on conflict do nothing` lets one win; the other gets false. */
async function claimNew({ pool }: Database, claims: readonly Claim[]): Promise<readonly PromiseSettledResult<boolean>[]> {
  const { rows } = await pool.query<Pick<IdempotencyRow, 'claimId'>>(claimKeys(claims.map(toNewRow)));
  const inserted = new Set(rows.map((row) => row.claimId));
  return claims.map(({ claimId }) => ({ status: 'fulfilled', value: inserted.has(claimId) }));
}

function toNewRow({ owner, key, fingerprint, claimId, nowMs }: Claim): Omit<IdempotencyRow, 'response'> {
  return { owner, key, fingerprint, claimId, claimedUntil: toInstant(nowMs + claimMs), createdAt: toInstant(nowMs) };
}

async function claimKnown(tx: Tx, claim: Claim, { ignoresResponse }: { readonly ignoresResponse: boolean }): Promise<Claimed> {
  const { owner, key, fingerprint, claimId, nowMs } = claim;
  const row = await tx.manager.findOne(idempotencyRecords.entity, { where: { owner, key }, lock: { mode: 'pessimistic_write' } });
  // The row was pruned after the insert had found it. The next attempt will find the key unused.
  if (row === null) throw new AppError('SERVICE_UNAVAILABLE');
  const found = toRecord(row);
  const record = ignoresResponse ? { ...found, response: undefined } : found;
  const decision = decideIdempotency(record, fingerprint, nowMs);
  const createdAtMs = decision === 'begin' ? nowMs : record.createdAtMs;
  if (decision === 'begin' || decision === 'resume') {
    const claimed = { fingerprint, claimId, claimedUntil: toInstant(nowMs + claimMs), createdAt: toInstant(createdAtMs) };
    await tx.manager.update(idempotencyRecords.entity, { owner, key }, { ...claimed, response: null });
  }
  return { decision, createdAtMs, response: record.response };
}

function toRecord({ fingerprint, createdAt, response, claimedUntil }: IdempotencyRow): IdempotencyRecord {
  return {
    fingerprint,
    createdAtMs: toEpochMs(createdAt),
    response: response ?? undefined,
    claimedUntilMs: claimedUntil === null ? undefined : toEpochMs(claimedUntil),
  };
}

async function complete({ pool }: Database, completed: readonly Completed[]): Promise<readonly PromiseSettledResult<void>[]> {
  const rows = completed.map(({ owner, key, claimId, response }) => ({ owner, key, claimId, response: response ?? null }));
  await pool.query(completeKeys, completedRows.valuesOf(rows));
  return completed.map(() => ({ status: 'fulfilled', value: undefined }));
}

/** Deletes records that are past their retention. */
export async function pruneRecords(database: Database, nowMs: number, signal: AbortSignal): Promise<void> {
  const expired = { table: 'idempotency_records', where: 'created_at < $2', values: [toInstant(nowMs - retentionMs)] };
  await deleteInBatches(database, expired, signal);
}
