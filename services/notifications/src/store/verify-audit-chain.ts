import type { Clock } from '@holdfast/kernel/context';
import { selectList, type Database, type Tx } from '@holdfast/postgres';
import { linkText, sealText } from '../domain/audit-chain.js';
import type { AuditBreak, AuditVerification } from '../use-cases/ports.js';
import { hashOf, type Sealer } from './record-audit.js';
import {
  appenderColumns,
  auditSealColumns,
  hashedEntryColumns,
  type AppenderRow,
  type AuditEntryRow,
  type AuditSealRow,
} from './schema.js';

const batchesPerRead = 200;

const selectSeals = `
  select ${selectList(auditSealColumns, 'audit_seals')}
  from audit_seals
  where batch > $1
  order by batch
  limit $2`;

const selectEntries = `
  select ${selectList(hashedEntryColumns, 'audit_entries')}
  from audit_entries
  where position > $1
    and position <= $2
  order by position`;

const selectEnd = `
  select ${selectList(appenderColumns, 'appender')}
  from appender`;

const selectBeyond = `
  select ${selectList(hashedEntryColumns, 'audit_entries')}
  from audit_entries
  where position > $1
  order by position
  limit 1`;

type Walk = { batch: bigint; seal: string; position: bigint; hash: string };

/** Verifies the chain from its first entry in one snapshot, so that concurrent appends do not affect the result. */
export function verifyAuditChain({ lists }: Pick<Database, 'lists'>, clock: Clock, sealer: Sealer): Promise<AuditVerification> {
  return lists.inTransaction(
    async (tx) => {
      const walk: Walk = { batch: 0n, seal: '', position: 0n, hash: '' };
      const firstBreak = (await walkSeals(tx, walk, sealer)) ?? (await checkEnd(tx, walk)) ?? null;
      return { entries: walk.position, batches: walk.batch, checkedAt: clock.now(), lastHash: walk.hash, firstBreak };
    },
    { isolation: 'REPEATABLE READ' },
  );
}

async function walkSeals(tx: Tx, walk: Walk, sealer: Sealer): Promise<AuditBreak | undefined> {
  for (;;) {
    const seals = await tx.query<AuditSealRow>(selectSeals, [walk.batch, batchesPerRead]);
    const last = seals.at(-1);
    if (last === undefined) return undefined;
    const entries = await tx.query<AuditEntryRow>(selectEntries, [walk.position, last.lastPosition]);
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

function checkBatch(walk: Walk, seal: AuditSealRow, entries: readonly AuditEntryRow[], sealer: Sealer): AuditBreak | undefined {
  const batch = walk.batch + 1n;
  for (const entry of entries) {
    if (entry.position !== walk.position + 1n) return breakAt(batch, walk.position + 1n, 'missing', null);
    const hash = hashOf(linkText(walk.hash, entry));
    if (hash !== entry.hash) return breakAt(batch, entry.position, 'altered', entry.id);
    [walk.position, walk.hash] = [entry.position, hash];
  }
  if (walk.position < seal.lastPosition) return breakAt(batch, walk.position + 1n, 'missing', null);
  const isSealValid = seal.batch === batch && seal.lastHash === walk.hash && seal.seal === sealer(sealText(walk.seal, seal));
  if (!isSealValid) return breakAt(batch, seal.firstPosition, 'seal broken', entries[0]?.id ?? null);
  [walk.batch, walk.seal] = [batch, seal.seal];
  return undefined;
}

/** The chain must end where the row of `appender` says, without entries after the last seal. */
async function checkEnd(tx: Tx, walk: Walk): Promise<AuditBreak | undefined> {
  const [end] = await tx.query<AppenderRow>(selectEnd);
  if (end !== undefined && end.auditPosition > walk.position)
    return breakAt(walk.batch + 1n, walk.position + 1n, 'missing', null);
  const [beyond] = await tx.query<AuditEntryRow>(selectBeyond, [walk.position]);
  return beyond === undefined ? undefined : breakAt(walk.batch + 1n, beyond.position, 'unsealed', beyond.id);
}

function breakAt(batch: bigint, position: bigint, fault: AuditBreak['fault'], entryId: AuditBreak['entryId']): AuditBreak {
  return { batch, position, fault, entryId };
}
