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

describe('records in the database', () => {
  it('let exactly one of many rivals begin', async () => {
    const key = randomUUID();
    const claimed = await Promise.all(Array.from({ length: 50 }, () => records.claim(aClaim({ key }))));
    const decisions = claimed.map(({ decision }) => decision).sort();
    expect(decisions).toEqual(['begin', ...Array.from({ length: 49 }, () => 'in-progress')]);
  });

  it('keep each caller for itself', async () => {
    const key = randomUUID();
    await records.claim(aClaim({ key }));
    expect((await records.claim(aClaim({ key, owner: 'key_2', fingerprint: 'b' }))).decision).toBe('begin');
  });

  it('give a kept reply again', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.complete({ ...claim, response: Buffer.from([1, 0, 255]) });
    const again = await records.claim({ ...claim, claimId: randomUUID() });
    expect(again).toEqual({ decision: 'replay', createdAtMs: now, response: Buffer.from([1, 0, 255]) });
    expect((await records.reclaim({ ...claim, claimId: randomUUID() })).decision).toBe('resume');
  });

  it('free a key that has no reply, for the same operation', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.complete({ ...claim, response: undefined });
    const again = await records.claim({ ...claim, claimId: randomUUID(), nowMs: now + 1_000 });
    expect(again).toMatchObject({ decision: 'resume', createdAtMs: now });
  });

  it('pass on the claim of a process that died, once, and ignore it afterwards', async () => {
    const dead = aClaim();
    await records.claim(dead);
    const later = now + claimMs;
    const rivals = [1, 2].map(() => ({ ...dead, claimId: randomUUID(), nowMs: later }));
    const decisions = await Promise.all(rivals.map((rival) => records.claim(rival)));
    expect(decisions.map(({ decision }) => decision).sort()).toEqual(['in-progress', 'resume']);
    await records.complete({ ...dead, response: Buffer.from('of the dead one') });
    expect((await records.claim({ ...dead, claimId: randomUUID(), nowMs: later })).decision).toBe('in-progress');
  });

  it('leave a claim alone that is renewed', async () => {
    const claim = aClaim();
    await records.claim(claim);
    await records.renew([claim.claimId], now + claimMs - 1);
    expect((await records.claim({ ...claim, claimId: randomUUID(), nowMs: now + claimMs })).decision).toBe('in-progress');
  });

  it('begin anew after a day, and are pruned then', async () => {
    const [kept, old] = [aClaim(), aClaim({ nowMs: now - 1 })];
    await records.claim(kept);
    await records.claim(old);
    const later = { ...kept, claimId: randomUUID(), nowMs: now + retentionMs };
    expect(await records.claim(later)).toMatchObject({ decision: 'begin', createdAtMs: later.nowMs });
    await pruneRecords(database, now + retentionMs, new AbortController().signal);
    const left = await testing.asAdmin<{ readonly key: string }>('select key from gateway.idempotency_records');
    expect(left.map(({ key }) => key)).not.toContain(old.key);
    expect(left.map(({ key }) => key)).toContain(kept.key);
  });

  it('503 SERVICE_UNAVAILABLE while the database is gone', async () => {
    await testing.setUnavailable(true);
    await expect(records.claim(aClaim())).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await testing.setUnavailable(false);
  });
});
