import { setTimeout as pause } from 'node:timers/promises';
import type { Notification } from '@holdfast/shared/broker';
import { messagingMigrations } from '@holdfast/shared/outbox';
import type { Database } from '@holdfast/shared/postgres';
import { eventually } from '@holdfast/shared/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/shared/testing/postgres';
import { fileURLToPath } from 'node:url';
import { createLeases, type LeaseLimits, type Leases } from './leases.js';

describe('leases', () => {
  let database: TestDatabase;
  let opened: Database;
  const signal = new AbortController().signal;
  const listeners = new Set<(hint: Notification) => void>();
  const asked: string[] = [];
  const broker = {
    broadcast: (hint: Notification) => {
      asked.push(hint.key);
      for (const listener of listeners) listener(hint);
    },
    onBroadcast: (_topics: readonly string[], listener: (hint: Notification) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const deaf = { broadcast: () => undefined, onBroadcast: () => () => undefined };
  const never = 3_600_000;

  beforeAll(async () => {
    database = await testDatabase();
    const migrations = [messagingMigrations, fileURLToPath(new URL('../../migrations', import.meta.url))];
    opened = await database.open({ service: 'escrow-adapter', migrations });
  }, 120_000);
  afterAll(() => database.drop());

  const processOf = (limits: Partial<LeaseLimits> = {}): Leases => createLeases({ database: opened, broker, limits });
  const deafProcessOf = (limits: Partial<LeaseLimits> = {}): Leases => createLeases({ database: opened, broker: deaf, limits });
  const takings = async (name: string): Promise<readonly { readonly token: string }[]> =>
    database.asAdmin(`select token from escrow_adapter.leases where name = '${name}' and until > now()`);

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

  it('of several names give one that no other process uses', async () => {
    const other = processOf();
    const elsewhere = await Promise.all([other.acquire(['m1'], signal), other.acquire(['m2'], signal)]);
    const held = await processOf().acquire(['m1', 'm2', 'm3'], signal);
    expect(held.name).toBe('m3');
    for (const each of [...elsewhere, held]) each.release();
  });

  it('are kept for the next use, without asking the database', async () => {
    const leases = processOf();
    (await leases.acquire(['k'], signal)).release();
    const before = await takings('k');
    (await leases.acquire(['k'], signal)).release();
    expect(before).toHaveLength(1);
    expect(await takings('k')).toEqual(before);
  });

  it('that are kept go to another process as soon as it asks', async () => {
    const keeper = processOf({ leaseMs: never, keepMs: never });
    (await keeper.acquire(['w'], signal)).release();
    const held = await processOf({ waitMsMax: 2_000 }).acquire(['w'], signal);
    held.release();
  });

  it('that are in use go to another process when their user is done, ahead of others in line', async () => {
    const busy = processOf({ leaseMs: never });
    const first = await busy.acquire(['l'], signal);
    const order: string[] = [];
    const next = busy.acquire(['l'], signal).then((held) => {
      order.push('next here');
      held.release();
    });
    const elsewhere = processOf().acquire(['l'], signal);
    await eventually(() => expect(asked).toContain('l'));
    first.release();
    const held = await elsewhere;
    order.push('elsewhere');
    held.release();
    await next;
    expect(order).toEqual(['elsewhere', 'next here']);
  });

  it('that nobody uses are given back after a while, without being asked', async () => {
    const leases = deafProcessOf({ keepMs: 50, tendEveryMs: 20 });
    (await leases.acquire(['i'], signal)).release();
    await eventually(async () => expect(await takings('i')).toEqual([]));
  });

  it('that are in use are renewed', async () => {
    const held = await deafProcessOf({ leaseMs: 300, tendEveryMs: 50 }).acquire(['r'], signal);
    await expect(deafProcessOf({ waitMsMax: 900 }).acquire(['r'], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.release();
  });

  it('of a process that died end by themselves, used and kept ones alike', async () => {
    const dead = deafProcessOf({ leaseMs: 300, tendEveryMs: never });
    await dead.acquire(['d'], signal);
    (await dead.acquire(['d2'], signal)).release();
    const living = processOf();
    for (const name of ['d', 'd2']) (await living.acquire([name], signal)).release();
  });

  it('that ran out are taken anew before they are used again', async () => {
    const slow = deafProcessOf({ leaseMs: 100, tendEveryMs: never });
    (await slow.acquire(['o'], signal)).release();
    await eventually(async () => expect(await takings('o')).toEqual([]));
    const other = await deafProcessOf().acquire(['o'], signal);
    await expect(slow.acquire(['o'], signal, 200)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    other.release();
  });

  it('are given back by a process that stops', async () => {
    const leases = deafProcessOf();
    (await leases.acquire(['s'], signal)).release();
    const held = await leases.acquire(['s2'], signal);
    await leases.stop();
    expect(await takings('s')).toEqual([]);
    held.release();
    await eventually(async () => expect(await takings('s2')).toEqual([]));
  });

  it('that do not come free in time are SERVICE_UNAVAILABLE, and the line moves on', async () => {
    const holder = processOf();
    const held = await holder.acquire(['e'], signal);
    const impatient = processOf({ waitMsMax: 100 });
    await expect(impatient.acquire(['e'], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(holder.acquire(['e'], signal, 50)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    held.release();
    (await impatient.acquire(['e'], signal)).release();
  });
});
