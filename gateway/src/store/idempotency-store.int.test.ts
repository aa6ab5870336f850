import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Database } from '@holdfast/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { claimMs, retentionMs } from '../idempotency-decision.js';
import type { Claim, IdempotencyRecords } from '../idempotency.js';
import { idempotencyStore, pruneRecords } from './idempotency-store.js';
import { entities } from './schema.js';

let testing: TestDatabase;
let database: Database;
let records: IdempotencyRecords;
const now = Date.parse('2026-01-31T12:00:00.000Z');

beforeAll(async () => {
  testing = await testDatabase();
  const migrations = [fileURLToPath(new URL('../../migrations', import.meta.url))];
  database = await testing.open({ service: 'gateway', migrations, entities });
  records = idempotencyStore(database);
}, serverStartTimeoutMs);
afterAll(() => testing.drop());

function aClaim(overrides: Partial<Claim> = {}): Claim {
  return { owner: 'key_1', key: randomUUID(), claimId: randomUUID(), fingerprint: 'a', nowMs: now, ...overrides };
}

describe('idempotency records in Postgres', () => {
  it('let exactly one of many concurrent claims begin', async () => {
    const key = randomUUID();
    const claimed = await Promise.all(Array.from({ length: 50 }, () => records.claim(aClaim({ key }))));
    const decisions = claimed.map(({ decision }) => decision).sort();
    expect(decisions).toEqual(['begin', ...Array.from({ length: 49 }, () => 'in-progress')]);
  });

  it('are separate per caller', async () => {
    const key = randomUUID();
    await records.claim(aClaim({ key }));
    expect((await records.claim(aClaim({ key, owner: 'key_2', fingerprint: 'b' }))).decision).toBe('begin');
  });

  it('replay a stored response', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.complete({ ...claim, response: Buffer.from([1, 0, 255]) });
    const again = await records.claim({ ...claim, claimId: randomUUID() });
    expect(again).toEqual({ decision: 'replay', createdAtMs: now, response: Buffer.from([1, 0, 255]) });
    expect((await records.reclaim({ ...claim, claimId: randomUUID() })).decision).toBe('resume');
  });

  it('free a key without a response, for the same operation', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.complete({ ...claim, response: undefined });
    const again = await records.claim({ ...claim, claimId: randomUUID(), nowMs: now + 1_000 });
    expect(again).toMatchObject({ decision: 'resume', createdAtMs: now });
  });

  it('pass an expired claim on once, and ignore its first owner afterwards', async () => {
    const dead = aClaim();
    await records.claim(dead);
    const later = now + claimMs;
    const concurrentClaims = [1, 2].map(() => ({ ...dead, claimId: randomUUID(), nowMs: later }));
    const decisions = await Promise.all(concurrentClaims.map((concurrent) => records.claim(concurrent)));
    expect(decisions.map(({ decision }) => decision).sort()).toEqual(['in-progress', 'resume']);
    await records.complete({ ...dead, response: Buffer.from('of the dead one') });
    expect((await records.claim({ ...dead, claimId: randomUUID(), nowMs: later })).decision).toBe('in-progress');
  });

  it('do not pass on a renewed claim', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.renew([claim.claimId], now + claimMs - 1);
    expect((await records.claim({ ...claim, claimId: randomUUID(), nowMs: now + claimMs })).decision).toBe('in-progress');
  });

  it('count as new after a day, and are pruned', async () => {
    const [retained, old] = [aClaim(), aClaim({ nowMs: now - 1 })];
    await records.claim(retained);
    await records.claim(old);
    const later = { ...retained, claimId: randomUUID(), nowMs: now + retentionMs };
    expect(await records.claim(later)).toMatchObject({ decision: 'begin', createdAtMs: later.nowMs });
    await pruneRecords(database, now + retentionMs, new AbortController().signal);
    const left = await testing.asAdmin<{ readonly key: string }>('select key from gateway.idempotency_records');
    expect(left.map(({ key }) => key)).not.toContain(old.key);
    expect(left.map(({ key }) => key)).toContain(retained.key);
  });

  it('503 SERVICE_UNAVAILABLE while the database is gone', async () => {
    await testing.setUnavailable(true);
    await expect(records.claim(aClaim())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await testing.setUnavailable(false);
  });
});
