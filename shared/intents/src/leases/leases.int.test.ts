import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '@holdfast/postgres';
import { eventually } from '@holdfast/testing/eventually';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { createLeases, type LeaseLimits, type Leases } from './leases.js';
import { intentsMigrations } from '../migrations.js';

describe('leases', () => {
  let database: TestDatabase;
  let opened: Database;
  const signal = new AbortController().signal;
  const never = 3_600_000;

  beforeAll(async () => {
    database = await testDatabase();
    opened = await database.open({ service: 'leases-test', migrations: [intentsMigrations] });
  });
  afterAll(() => database.drop());

  const processOf = (limits: Partial<LeaseLimits> = {}): Leases => createLeases({ database: opened, limits });
  const rowsOf = (name: string): Promise<readonly { readonly hasWaiter: boolean }[]> =>
    database.asAdmin(`select has_waiter as "hasWaiter" from leases_test.leases where name = '${name}' and until > now()`);

  it('are held by one at a time, within a process and between processes', async () => {
    const processes = [processOf(), processOf()];
    let holding = 0;
    let most = 0;
    const use = async (leases: Leases): Promise<void> => {
      const handle = await leases.acquire(['a'], signal);
      holding += 1;
      most = Math.max(most, holding);
      await pause(1);
      holding -= 1;
      handle.release();
    };
    await Promise.all(Array.from({ length: 60 }, (_, index) => use(processes[index % 2] ?? processOf())));
    expect(most).toBe(1);
  });

  it('of several names return a free one', async () => {
    const leases = processOf();
    const handle = await Promise.all([leases.acquire(['b', 'c'], signal), leases.acquire(['b', 'c'], signal)]);
    expect(handle.map(({ name }) => name).sort()).toEqual(['b', 'c']);
    for (const each of handle) each.release();
  });

  it('of several names return one that no other process holds', async () => {
    const other = processOf();
    const elsewhere = await Promise.all([other.acquire(['m1'], signal), other.acquire(['m2'], signal)]);
    const handle = await processOf().acquire(['m1', 'm2', 'm3'], signal);
    expect(handle.name).toBe('m3');
    for (const each of [...elsewhere, handle]) each.release();
  });

  it('that are released are released in the database as well', async () => {
    const leases = processOf();
    const handle = await leases.acquire(['k'], signal);
    expect(await rowsOf('k')).toHaveLength(1);
    handle.release();
    await leases.stop();
    expect(await rowsOf('k')).toEqual([]);
  });

  it('go to a waiting process before the waiters of the same process', async () => {
    const busy = processOf({ leaseMs: never });
    const first = await busy.acquire(['l'], signal);
    const order: string[] = [];
    const next = busy.acquire(['l'], signal).then((handle) => {
      order.push('next here');
      handle.release();
    });
    const elsewhere = processOf().acquire(['l'], signal);
    await eventually(async () => expect(await rowsOf('l')).toEqual([{ hasWaiter: true }]));
    first.release();
    const handle = await elsewhere;
    order.push('elsewhere');
    handle.release();
    await next;
    expect(order).toEqual(['elsewhere', 'next here']);
  });

  it('that are in use are renewed', async () => {
    const handle = await processOf({ leaseMs: 300, renewEveryMs: 50 }).acquire(['r'], signal);
    await expect(processOf({ waitMsMax: 900 }).acquire(['r'], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    handle.release();
  });

  it('of a dead process expire', async () => {
    await processOf({ leaseMs: 300, renewEveryMs: never }).acquire(['d'], signal);
    (await processOf().acquire(['d'], signal)).release();
  });

  it('that are held for an intent end with it, and not before', async () => {
    const insert = `insert into leases_test.intents (id, kind, subject, priority, marketplace_id, correlation_id, payload)
      values ('evt_1', 'pay', 'wd_1', 0, 'mkt_1', 'req_1', '{}')`;
    await database.asAdmin(insert);
    const [here, elsewhere] = [processOf({ leaseMs: never }), processOf()];
    const handle = await here.acquire(['i'], signal, undefined, 'evt_1');
    await expect(elsewhere.acquire(['i'], signal, 100)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await database.asAdmin(`update leases_test.intents set closed_at = now(), replies = '[]'`);
    handle.markReleased();
    const next = await elsewhere.acquire(['i'], signal);
    await expect(here.acquire(['i'], signal, 100)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    next.release();
    await elsewhere.stop();
  });

  it('go to a waiting process before the next use by the same one, which need not wait for it', async () => {
    const busy = processOf();
    const first = await busy.acquire(['n'], signal);
    const elsewhere = processOf().acquire(['n'], signal);
    await eventually(async () => expect(await rowsOf('n')).toEqual([{ hasWaiter: true }]));
    first.release();
    await busy.stop();
    const order: string[] = [];
    await Promise.all([
      busy.acquire(['n'], signal).then((handle) => {
        order.push('here');
        handle.release();
      }),
      elsewhere.then((handle) => {
        order.push('elsewhere');
        handle.release();
      }),
    ]);
    expect(order).toEqual(['elsewhere', 'here']);
  });

  it('that have expired do not release the lease of the next holder', async () => {
    const slow = await processOf({ leaseMs: 100, renewEveryMs: never }).acquire(['o'], signal);
    await eventually(async () => expect(await rowsOf('o')).toEqual([]));
    const leases = processOf();
    const other = await leases.acquire(['o'], signal);
    slow.release();
    await expect(processOf().acquire(['o'], signal, 200)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    other.release();
    await leases.stop();
  });

  it('throw SERVICE_UNAVAILABLE on timeout, and the next waiter still gets them', async () => {
    const holder = processOf();
    const handle = await holder.acquire(['e'], signal);
    const impatient = processOf({ waitMsMax: 100 });
    await expect(impatient.acquire(['e'], signal)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await expect(holder.acquire(['e'], signal, 50)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    handle.release();
    (await impatient.acquire(['e'], signal)).release();
  });
});
