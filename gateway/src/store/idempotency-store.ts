import { createBatcher } from '@holdfast/shared/batching';
import { toEpochMs, toInstant, type Instant } from '@holdfast/shared/context';
import { AppError } from '@holdfast/shared/errors';
import { deleteInBatches, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';
import { claimMs, decideIdempotency, retentionMs, type IdempotencyRecord } from '../idempotency-decision.js';
import type { Claim, Claimed, IdempotencyRecords, RecordKey } from '../idempotency.js';
import { claimKeys } from './sql/claim-keys.js';
import { settleKeys } from './sql/settle-keys.js';

type Settled = RecordKey & { readonly claimId: string; readonly reply: Buffer | undefined };

const batchLimits = {
  sizeMax: 128,
  waitMs: 2,
  inFlightMax: 2,
  waitingMax: 5_000,
  overflow: () => new AppError('SERVICE_UNAVAILABLE'),
};

/** Records in the gateway's own schema. Requests that come at the same time share a commit. */
export function idempotencyStore(database: Database): IdempotencyRecords {
  const claims = createBatcher({ ...batchLimits, run: (items: readonly Claim[]) => claimNew(database, items) });
  const settlements = createBatcher({ ...batchLimits, run: (items: readonly Settled[]) => settle(database, items) });
  return {
    claim: async (claim) => {
      const isNew = await claims.submit(claim).catch(rethrow);
      if (isNew) return { decision: 'begin', createdAtMs: claim.nowMs, reply: undefined };
      return database.inTransaction((tx) => claimKnown(tx, claim, { ignoresReply: false }));
    },
    reclaim: (claim) => database.inTransaction((tx) => claimKnown(tx, claim, { ignoresReply: true })),
    settle: (settled) => settlements.submit(settled).catch(rethrow),
    renew: async (claimIds, nowMs) => {
      await database.pool.query(renewClaims, [claimIds, toInstant(nowMs + claimMs)]).catch(rethrow);
    },
  };
}

function rethrow(error: unknown): never {
  throw toAppError(error) as Error;
}

/** Of two claims to one key in the same batch the database takes one; the other finds it taken. */
async function claimNew({ pool }: Database, claims: readonly Claim[]): Promise<readonly PromiseSettledResult<boolean>[]> {
  const { rows } = await pool.query<{ readonly claim_id: string }>({
    ...claimKeys,
    values: [
      claims.map(({ owner }) => owner),
      claims.map(({ key }) => key),
      claims.map(({ fingerprint }) => fingerprint),
      claims.map(({ claimId }) => claimId),
      claims.map(({ nowMs }) => toInstant(nowMs + claimMs)),
      claims.map(({ nowMs }) => toInstant(nowMs)),
    ],
  });
  const taken = new Set(rows.map((row) => row.claim_id));
  return claims.map(({ claimId }) => ({ status: 'fulfilled', value: taken.has(claimId) }));
}

const lockRecord = `
  select fingerprint, claimed_until, reply, created_at
  from idempotency_records
  where owner = $1 and key = $2
  for update`;

const takeOver = `
  update idempotency_records
  set fingerprint = $3,
    claim_id = $4,
    claimed_until = $5,
    reply = null,
    created_at = $6
  where owner = $1 and key = $2`;

const renewClaims = `
  update idempotency_records
  set claimed_until = $2
  where claim_id = any($1)`;

type Row = {
  readonly fingerprint: string;
  readonly claimed_until: Instant | null;
  readonly reply: Buffer | null;
  readonly created_at: Instant;
};

async function claimKnown(tx: Tx, claim: Claim, { ignoresReply }: { readonly ignoresReply: boolean }): Promise<Claimed> {
  const { owner, key, fingerprint, claimId, nowMs } = claim;
  const [row] = await tx.query<Row>(lockRecord, [owner, key]);
  // It was there a moment ago and has been pruned since: the next try finds the key unused.
  if (row === undefined) throw new AppError('SERVICE_UNAVAILABLE');
  const found = toRecord(row);
  const record = ignoresReply ? { ...found, reply: undefined } : found;
  const decision = decideIdempotency(record, fingerprint, nowMs);
  const createdAtMs = decision === 'begin' ? nowMs : record.createdAtMs;
  if (decision === 'begin' || decision === 'resume') {
    const claimedUntil = toInstant(nowMs + claimMs);
    await tx.query(takeOver, [owner, key, fingerprint, claimId, claimedUntil, toInstant(createdAtMs)]);
  }
  return { decision, createdAtMs, reply: record.reply };
}

function toRecord(row: Row): IdempotencyRecord {
  return {
    fingerprint: row.fingerprint,
    createdAtMs: toEpochMs(row.created_at),
    reply: row.reply ?? undefined,
    claimedUntilMs: row.claimed_until === null ? undefined : toEpochMs(row.claimed_until),
  };
}

async function settle({ pool }: Database, settled: readonly Settled[]): Promise<readonly PromiseSettledResult<void>[]> {
  await pool.query({
    ...settleKeys,
    values: [
      settled.map(({ owner }) => owner),
      settled.map(({ key }) => key),
      settled.map(({ claimId }) => claimId),
      settled.map(({ reply }) => reply ?? null),
    ],
  });
  return settled.map(() => ({ status: 'fulfilled', value: undefined }));
}

/** Forgets keys that count as new anyway. */
export async function pruneRecords(database: Database, nowMs: number, signal: AbortSignal): Promise<void> {
  const old = { table: 'idempotency_records', where: 'created_at < $2', values: [toInstant(nowMs - retentionMs)] };
  await deleteInBatches(database, old, signal);
}
