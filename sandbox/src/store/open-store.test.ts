import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { silentLog } from '@holdfast/testing/log';
import type { Account } from '../domain/account.js';
import { openStore, type StoreOptions } from './open-store.js';
import type { Store } from './store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (options: Partial<StoreOptions> = {}): Promise<Store> =>
  openStore({ log: silentLog, onNew: () => undefined, folder, ...options });

const account = (id: string, units: bigint): Account => ({
  id,
  sequence: units,
  nativeUnits: units,
  lines: { 'USDC:G': { units, limitUnits: 2n ** 62n } },
});

async function put(store: Store, id: string, units: bigint): Promise<void> {
  const transaction = store.begin();
  transaction.put('accounts', id, account(id, units));
  transaction.commit();
  await store.durable();
}

describe('a store with a folder', () => {
  it('has all durable records after a restart, with exact amounts', async () => {
    const store = await open();
    await put(store, 'a', 2n ** 62n + 1n);
    await put(store, 'b', 1n);
    const transaction = store.begin();
    transaction.remove('accounts', 'b');
    transaction.commit();
    await store.durable();
    // The first store is not closed, as after a crash.
    const again = await open();
    expect([...again.all('accounts')]).toEqual([account('a', 2n ** 62n + 1n)]);
    await Promise.all([store.close(), again.close()]);
  });

  it('writes a commit with the urgency later with the next batch, or after its delay', async () => {
    const store = await open();
    const later = (id: string): void => {
      const transaction = store.begin();
      transaction.put('accounts', id, account(id, 1n));
      transaction.commit('later');
    };
    const written = (): Promise<string> => readFile(path.join(folder, 'journal-1.jsonl'), 'utf8');
    later('a');
    await store.durable();
    expect(store.count('accounts')).toBe(1);

    await put(store, 'b', 1n);
    expect((await written()).split('\n')).toHaveLength(3);

    later('c');
    await eventually(async () => expect(await written()).toContain('"c"'));
    later('d');
    await store.close();
    expect(await written()).toContain('"d"');
  });

  it('drops an incomplete last line of a killed process', async () => {
    const store = await open();
    await put(store, 'a', 1n);
    await store.close();
    await appendFile(path.join(folder, 'journal-1.jsonl'), '[["accounts","a",{"id":"a"');

    const again = await open();
    await put(again, 'b', 2n);
    await again.close();
    const third = await open();

    expect([...third.all('accounts')]).toEqual([account('a', 1n), account('b', 2n)]);
    await third.close();
  });

  it('ignores the preallocated zeros of a killed process', async () => {
    const journal = path.join(folder, 'journal-1.jsonl');
    const store = await open();
    const long = Array.from({ length: 8 }, (_, index) => `account ${index} ${'x'.repeat(50_000)}`);
    for (const id of long) await put(store, id, 1n);
    const killed = await readFile(journal);
    expect(killed.at(-1)).toBe(0);

    const again = await open();
    await put(again, 'b', 2n);
    await again.close();
    const third = await open();

    expect([...third.all('accounts')]).toEqual([...long.map((id) => account(id, 1n)), account('b', 2n)]);
    expect((await readFile(journal, 'utf8')).includes('\u0000')).toBe(false);
    await third.close();
    await store.close();
  });

  it('refuses data that is damaged in the middle', async () => {
    await writeFile(path.join(folder, 'journal-1.jsonl'), 'nonsense\n[]\n');
    await expect(open()).rejects.toThrow('damaged at');
  });

  it('writes snapshots during commits, and removes the older journals', async () => {
    const store = await open({ journalBytesMax: 2_000 });
    const ids = Array.from({ length: 200 }, (_, index) => `account ${index}`);
    for (const id of ids) await put(store, id, 1n);
    await Promise.all(ids.map((id, index) => put(store, id, BigInt(index))));
    await eventually(async () => expect(await readdir(folder)).toContainEqual(expect.stringMatching(/^snapshot-\d+\.jsonl$/)));
    await store.close();

    const again = await open();

    expect([...again.all('accounts')]).toEqual(ids.map((id, index) => account(id, BigInt(index))));
    expect((await readdir(folder)).filter((name) => name.startsWith('snapshot'))).toHaveLength(1);
    await again.close();
  });

  it('ignores an unfinished snapshot', async () => {
    const store = await open();
    await put(store, 'a', 1n);
    await store.close();
    await writeFile(path.join(folder, 'snapshot-2.jsonl.part'), '[["accounts","x"');
    await writeFile(path.join(folder, 'journal-2.jsonl'), await readFile(path.join(folder, 'journal-1.jsonl')));
    const again = await open();
    expect([...again.all('accounts')]).toEqual([account('a', 1n)]);
    await again.close();
  });

  it('calls onNew once for each record, also at the start', async () => {
    const store = await open();
    await put(store, 'a', 1n);
    await put(store, 'a', 2n);
    await store.close();
    const seen: string[] = [];
    const again = await open({ onNew: (table) => void seen.push(table) });
    expect(seen).toEqual(['accounts']);
    await again.close();
  });
});

describe('a store transaction', () => {
  it('sees its own changes, which are visible outside after the commit', async () => {
    const store = await open({ folder: undefined });
    const transaction = store.begin();
    transaction.put('accounts', 'a', account('a', 1n));
    expect(transaction.find('accounts', 'a')).toEqual(account('a', 1n));
    expect(store.find('accounts', 'a')).toBeUndefined();
    transaction.commit();
    expect(store.find('accounts', 'a')).toEqual(account('a', 1n));
  });
});
