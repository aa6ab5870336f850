import { setTimeout as pause } from 'node:timers/promises';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { fileURLToPath } from 'node:url';
import { createLeases, type Leases } from './leases.js';

describe('leases', () => {
  let database: TestDatabase;
  let opened: Database;
  const signal = new AbortController().signal;

  beforeAll(async () => {
    database = await testDatabase();
    const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
    opened = await database.open({ service: 'escrow-adapter', migrations });
  }, 120_000);
  afterAll(() => database.drop());

  const processOf = (leaseMs = 10_000, waitMsMax = 5_000): Leases => createLeases({ database: opened, leaseMs, waitMsMax });

  it('are held by one at a time, within a process and between processes', async () => {
    const processes = [processOf(), processOf()];
    let holding = 0;
    let most = 0;
    const use = async (leases: Leases): Promise<void> => {
      const held = await leases.acquire(['a'], signal);
      holding += 1;
      most = Math.max(most, holding);
      await pause(1);
      holding -= 1;
      held.release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => use(processes[index % 2] ?? processOf())));
    expect(most).toBe(1);
  });

  it('of several names give the free one', async () => {
    const leases = processOf();
    const held = await Promise.all([leases.acquire(['b', 'c'], signal), leases.acquire(['b', 'c'], signal)]);
    expect(held.map(({ name }) => name).sort()).toEqual(['b', 'c']);
    for (const each of held) each.release();
  });

  it('of a process that died end by themselves', async () => {
    await processOf(200).acquire(['d'], signal);
    const held = await processOf().acquire(['d'], signal);
    held.release();
  });

  it('that do not come free in time are SERVICE_UNAVAILABLE, and the line moves on', async () => {
    const holder = processOf();
    const held = await holder.acquire(['e'], signal);
    const impatient = processOf(10_000, 100);
    await expect(impatient.acquire(['e'], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.release();
    (await impatient.acquire(['e'], signal)).release();
  });
});
