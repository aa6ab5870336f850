import { toEpochMs, toInstant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { deleteInBatches, type Database, type Tx } from '@holdfast/postgres';
import { claimMs, decideIdempotency, retentionMs, type IdempotencyRecord } from '../idempotency-decision.js';
import type { Claim, Claimed, IdempotencyRecords } from '../idempotency.js';
import { claimKey, idempotencyRecords, type IdempotencyRow } from './schema.js';
import { renewClaims } from './sql/renew-claims.js';
import { completeKey } from './sql/complete-key.js';

/** Stores the records in Postgres. */
export function idempotencyStore(database: Database): IdempotencyRecords {
  return {
    claim: async (claim) => {
      if (await claimNew(database, claim)) return { decision: 'begin', createdAtMs: claim.nowMs, response: undefined };
      return database.inTransaction((tx) => claimKnown(tx, claim, { ignoresResponse: false }));
    },
    reclaim: (claim) => database.inTransaction((tx) => claimKnown(tx, claim, { ignoresResponse: true })),
    complete: async ({ owner, key, claimId, response }) => {
      await database.pool.query(completeKey, [owner, key, claimId, response ?? null]);
    },
    renew: async (claimIds, nowMs) => {
      await database.pool.query(renewClaims, [claimIds, toInstant(nowMs + claimMs)]);
    },
  };
}

/** Of concurrent claims of one key, one gets true. */
async function claimNew({ pool }: Database, claim: Claim): Promise<boolean> {
  return (await pool.query(claimKey([toNewRow(claim)]))).rows.length === 1;
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

/** Deletes records that are past their retention. */
export async function pruneRecords(database: Database, nowMs: number, signal: AbortSignal): Promise<void> {
  const expired = { table: 'idempotency_records', where: 'created_at < $2', values: [toInstant(nowMs - retentionMs)] };
  await deleteInBatches(database, expired, signal);
}
