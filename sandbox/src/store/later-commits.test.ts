import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '@holdfast/testing/eventually';
import { openStore, type Store, type StoreOptions } from './store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sandbox-later-'));
});
afterEach(() => rm(folder, { recursive: true }));

const open = (options: Partial<StoreOptions> = {}): Promise<Store> => openStore({ onNew: () => undefined, folder, ...options });

/** The ids of the records in the file, line by line. */
async function idsInFile(): Promise<readonly string[]> {
  const text = await readFile(path.join(folder, 'commits.jsonl'), 'utf8');
  return text.split('\n').flatMap((line) => /"feeBumps","(.)"/.exec(line)?.[1] ?? []);
}

function changed(store: Store, id: string) {
  const transaction = store.begin();
  transaction.put('feeBumps', id, { transactionHash: id });
  return transaction;
}

describe('a commit that may be durable later', () => {
  it('is visible at once, and written with the next other commit', async () => {
    const store = await open();
    changed(store, 'a').commitLater();
    await store.durable();
    expect([store.find('feeBumps', 'a'), await idsInFile()]).toEqual([{ transactionHash: 'a' }, []]);

    changed(store, 'b').commit();
    await store.durable();

    expect(await idsInFile()).toEqual(['a', 'b']);
    await store.close();
  });

  it('is written alone after its time', async () => {
    const store = await open({ laterMs: 1 });
    changed(store, 'a').commitLater();
    await eventually(async () => expect(await idsInFile()).toEqual(['a']));
    await store.close();
  });

  it('is written when the store is closed', async () => {
    const store = await open();
    changed(store, 'a').commitLater();
    changed(store, 'b').commitLater();
    await store.close();
    expect(await idsInFile()).toEqual(['a', 'b']);
  });
});
