import type { Clock } from '@holdfast/shared/context';
import type { Database } from '@holdfast/shared/postgres';
import { linkText, sealText, type AuditEntry, type AuditSeal } from '../domain/audit-chain.js';
import type { AuditBreak, AuditProof } from '../use-cases/ports.js';
import { auditColumns } from './audit-store.js';
import { hashOf, type Sealer } from './record-audit.js';

type HashedEntry = AuditEntry & { readonly hash: string };
type SealRow = AuditSeal & { readonly seal: string };

const batchesPerRead = 200;

const selectSeals = `
  select batch, first_position as "firstPosition", last_position as "lastPosition", last_hash as "lastHash",
    sealed_at as "sealedAt", seal
  from audit_seals
  where batch > $1
  order by batch
  limit $2`;

const selectEntries = `
  select ${auditColumns}, hash
  from audit_entries
  where position > $1
    and position <= $2
  order by position`;

const selectEnd = 'select audit_position, audit_batch from appender';

const selectBeyond = `
  select ${auditColumns}, hash
  from audit_entries
  where position > $1
  order by position
  limit 1`;

type Walk = { batch: bigint; seal: string; position: bigint; hash: string };
type Tables = { readonly rows: <Row>(sql: string, values?: readonly unknown[]) => Promise<readonly Row[]> };

/** Walks the whole chain from its first entry in one snapshot, so that entries which come meanwhile do not confuse it. */
export async function proveAudit({ pool }: Pick<Database, 'pool'>, clock: Clock, sealer: Sealer): Promise<AuditProof> {
  const session = await pool.connect();
  const ignore = (): void => undefined; // the statement that is running reports it
  session.on('error', ignore);
  try {
    await session.query('begin isolation level repeatable read read only');
    const rows: Tables['rows'] = async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await session.query(sql, [...values])).rows as readonly Row[];
    const walk: Walk = { batch: 0n, seal: '', position: 0n, hash: '' };
    const firstBreak = (await walkSeals({ rows }, walk, sealer)) ?? (await checkEnd({ rows }, walk)) ?? null;
    return { entries: walk.position, batches: walk.batch, checkedAt: clock.now(), lastHash: walk.hash, firstBreak };
  } finally {
    await session.query('rollback').catch(() => undefined);
    session.off('error', ignore);
    session.release();
  }
}

async function walkSeals(tables: Tables, walk: Walk, sealer: Sealer): Promise<AuditBreak | undefined> {
  for (;;) {
    const seals = await tables.rows<SealRow>(selectSeals, [walk.batch, batchesPerRead]);
    const last = seals.at(-1);
    if (last === undefined) return undefined;
    const entries = await tables.rows<HashedEntry>(selectEntries, [walk.position, last.lastPosition]);
    let taken = 0;
    for (const seal of seals) {
      const size = entries.slice(taken).findIndex(({ position }) => position > seal.lastPosition);
      const sealed = entries.slice(taken, size === -1 ? undefined : taken + size);
      taken += sealed.length;
      const broken = checkBatch(walk, seal, sealed, sealer);
      if (broken !== undefined) return broken;
    }
  }
}

function checkBatch(walk: Walk, seal: SealRow, entries: readonly HashedEntry[], sealer: Sealer): AuditBreak | undefined {
  const batch = walk.batch + 1n;
  for (const entry of entries) {
    if (entry.position !== walk.position + 1n) return breakAt(batch, walk.position + 1n, 'missing', null);
    const hash = hashOf(linkText(walk.hash, entry));
    if (hash !== entry.hash) return breakAt(batch, entry.position, 'altered', entry.id);
    [walk.position, walk.hash] = [entry.position, hash];
  }
  if (walk.position < seal.lastPosition) return breakAt(batch, walk.position + 1n, 'missing', null);
  const isWhole = seal.batch === batch && seal.lastHash === walk.hash && seal.seal === sealer(sealText(walk.seal, seal));
  if (!isWhole) return breakAt(batch, seal.firstPosition, 'seal broken', entries[0]?.id ?? null);
  [walk.batch, walk.seal] = [batch, seal.seal];
  return undefined;
}

/** The trail ends where the appender says, and nothing stands beyond its last seal. */
async function checkEnd({ rows }: Tables, walk: Walk): Promise<AuditBreak | undefined> {
  const [end] = await rows<{ readonly audit_position: bigint; readonly audit_batch: bigint }>(selectEnd);
  if (end !== undefined && end.audit_position > walk.position)
    return breakAt(walk.batch + 1n, walk.position + 1n, 'missing', null);
  const [beyond] = await rows<HashedEntry>(selectBeyond, [walk.position]);
  return beyond === undefined ? undefined : breakAt(walk.batch + 1n, beyond.position, 'unsealed', beyond.id);
}

function breakAt(batch: bigint, position: bigint, fault: AuditBreak['fault'], entryId: AuditBreak['entryId']): AuditBreak {
  return { batch, position, fault, entryId };
}
