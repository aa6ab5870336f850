import { appendFile, mkdtemp, open as openFile, readFile, readdir, rm, writeFile, type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import type { Account } from '../domain/account.js';
import { openStore, type Store, type StoreOptions } from './store.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'sandbox-store-'));
});
afterEach(() => rm(folder, { recursive: true }));

const dataFile = (): string => path.join(folder, 'commits.jsonl');

const open = (options: Partial<StoreOptions> = {}): Promise<Store> => openStore({ onNew: () => undefined, folder, ...options });

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

  it('syncs the commits of one batch once', async () => {
    const store = await open();
    const operations: FileOperation[] = [];
    const restore = await interceptFiles(({ name, run, data }) => {
      operations.push(name);
      return run(data);
    });
    await Promise.all(['a', 'b', 'c'].map((id) => put(store, id, 1n)));
    restore();
    expect(operations).toEqual(['appendFile', 'datasync']);
    await store.close();
  });

  it('never reports a commit as durable after a failed write', async () => {
    const store = await open();
    const restore = await interceptFiles(() => Promise.reject(new Error('the disk is gone')));
    await expect(put(store, 'a', 1n)).rejects.toThrow('the disk is gone');
    restore();
    await expect(put(store, 'b', 1n)).rejects.toThrow('the disk is gone');
    await store.close();
  });

  it('drops an incomplete last line of a killed process', async () => {
    const store = await open();
    await put(store, 'a', 1n);
    await store.close();
    await appendFile(dataFile(), '[["accounts","a",{"id":"a"');

    const again = await open();
    await put(again, 'b', 2n);
    await again.close();
    const third = await open();

    expect([...third.all('accounts')]).toEqual([account('a', 1n), account('b', 2n)]);
    await third.close();
  });

  it.each(['nonsense\n[]\n', '[["strangers","a",{}]]\n', '{}\n'])('refuses damaged data: %j', async (text) => {
    await writeFile(dataFile(), text);
    await expect(open()).rejects.toThrow(`damaged at ${dataFile()}:1`);
  });

  it.each(['journal-1.jsonl', 'changes.jsonl'])(
    'refuses %s of an older version instead of starting a new network',
    async (name) => {
      await writeFile(path.join(folder, name), '[]\n');
      await expect(open()).rejects.toThrow(`older version (${name})`);
    },
  );

  it('writes a snapshot in place of a mostly outdated file, also during commits', async () => {
    const store = await open({ replacedMax: 20 });
    const ids = Array.from({ length: 200 }, (_, index) => `account ${index}`);
    for (let round = 0; round < 4; round += 1) await Promise.all(ids.map((id, index) => put(store, id, BigInt(round * index))));
    for (const id of ids) await put(store, id, 7n);
    const lines = (await readFile(dataFile(), 'utf8')).split('\n').length;
    await store.close();

    const again = await open();

    expect(lines).toBeLessThan(3 * ids.length);
    expect([...again.all('accounts')]).toEqual(ids.map((id) => account(id, 7n)));
    expect(await readdir(folder)).toEqual(['commits.jsonl']);
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

const fileOperations = ['appendFile', 'datasync', 'sync'] as const;
type FileOperation = (typeof fileOperations)[number];
type Run = (data: string) => Promise<void>;

type Intercepted = { readonly name: FileOperation; readonly file: FileHandle; readonly data: string; readonly run: Run };

/** Replaces the operations on all files by others, which may run the real ones. Returns how to restore them. */
async function interceptFiles(intercept: (operation: Intercepted) => Promise<void>): Promise<() => void> {
  const handle = await openFile(tmpdir(), 'r');
  await handle.close();
  const prototype: FileHandle = Object.getPrototypeOf(handle);
  const replace = (name: FileOperation, value: unknown): void =>
    void Object.defineProperty(prototype, name, { configurable: true, writable: true, value });
  const restores = fileOperations.map((name) => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its file below
    const real: (this: FileHandle, data: string) => Promise<void> = prototype[name];
    replace(name, function (this: FileHandle, data = '') {
      return intercept({ name, file: this, data, run: (text) => real.call(this, text) });
    });
    return () => replace(name, real);
  });
  return () => {
    for (const restore of restores) restore();
  };
}

type Kill = 'before it' | 'halfway through it' | 'after it';

/** The process does not come back from its n-th operation of this name, as if it was killed there. */
async function killAt(killedName: FileOperation, n: number, kill: Kill) {
  const files = new Set<FileHandle>();
  let [count, isKilled] = [0, false];
  let onKilled: (value: true) => void = () => undefined;
  const killed = new Promise<true>((resolve) => (onKilled = resolve));
  const restore = await interceptFiles(async ({ name, file, data, run }) => {
    files.add(file);
    if (name === killedName) count += 1;
    if (name !== killedName || count < n) {
      if (!isKilled) await run(data);
      if (!isKilled) return;
    } else {
      isKilled = true;
      if (kill === 'halfway through it') await run(data.slice(0, data.length / 2));
      if (kill === 'after it') await run(data);
      onKilled(true);
    }
    await new Promise<never>(() => undefined);
  });
  const end = async (): Promise<void> => {
    // A file that is being opened is open before this one. Its first operation has then not come back either.
    await (await openFile(tmpdir(), 'r')).close();
    await turn();
    restore();
    for (const file of files) await file.close().catch(() => undefined);
  };
  return { killed, end };
}

type Moving = { readonly moves: number; committed: number; durable: number };

/** Moves one unit at a time from a to b, each in one commit, and counts the moves that are durable as far as the caller knows. */
async function moveUnits(store: Store, moving: Moving, isWaiting: boolean): Promise<void> {
  const { moves } = moving;
  // The batch that starts a snapshot has no move, so that the moves made meanwhile come from the snapshot and their own lines only.
  const first = put(store, 'between 0', 1n);
  await (isWaiting ? first : turn());
  for (let move = 1; move <= moves; move += 1) {
    const transaction = store.begin();
    transaction.put('accounts', 'a', account('a', BigInt(moves - move)));
    transaction.put('accounts', 'b', account('b', BigInt(move)));
    transaction.commit();
    moving.committed = move;
    const durable = store.durable().then(() => (moving.durable = move));
    await (isWaiting ? durable : turn());
  }
  // The first batch after a snapshot is written replaces the file.
  for (let count = 0; count < 10; count += 1) await put(store, 'between 0', 1n);
}

/** As many as are made during a snapshot, and some more. */
const manyMoves = 300n;

/** The accounts a and b with so many between them that a snapshot writes them at different times. With the next commit one is due. */
async function fillAccounts(store: Store): Promise<void> {
  await put(store, 'a', manyMoves);
  for (let round = 0; round < 3; round += 1) {
    const transaction = store.begin();
    for (let index = 0; index < 500; index += 1) transaction.put('accounts', `between ${index}`, account('', 1n));
    transaction.commit();
  }
  await put(store, 'b', 0n);
}

const workloads = {
  'one commit after the other': { isWaiting: true, moves: 8, replacedMax: 4, prepare: (store: Store) => put(store, 'a', 8n) },
  'commits during a snapshot': { isWaiting: false, moves: Number(manyMoves), replacedMax: 1_000, prepare: fillAccounts },
};
const kills: Readonly<Record<FileOperation, readonly Kill[]>> = {
  appendFile: ['before it', 'halfway through it', 'after it'],
  datasync: ['before it', 'after it'],
  sync: ['before it', 'after it'],
};
const cases = Object.entries(workloads).flatMap(([name, workload]) =>
  fileOperations.flatMap((operation) => kills[operation].map((kill) => ({ name, operation, kill, ...workload }))),
);

describe('a process that is killed at an operation on a file', () => {
  it.each(cases)(
    '$operation, $kill: has all durable commits, and whole ones only ($name)',
    async ({ operation, kill, ...workload }) => {
      for (let n = 1, isKilled = true; isKilled; n += 1) {
        const { isWaiting, moves, replacedMax, prepare } = workload;
        const store = await open({ replacedMax });
        await prepare(store);
        const { killed, end } = await killAt(operation, n, kill);
        const moving: Moving = { moves, committed: 0, durable: 0 };
        const ended = moveUnits(store, moving, isWaiting).then(() => false);
        isKilled = await Promise.race([killed, ended]);
        expect(isKilled || n > 1).toBe(true);
        await end();

        const again = await open({ replacedMax });
        const unitsOf = (id: string): number => Number(again.find('accounts', id)?.nativeUnits ?? 0n);
        expect(unitsOf('a') + unitsOf('b')).toBe(moves);
        // What was not durable yet may have survived without its caller knowing.
        expect(unitsOf('b')).toBeGreaterThanOrEqual(moving.durable);
        expect(unitsOf('b')).toBeLessThanOrEqual(moving.committed);
        await put(again, 'after the restart', 1n);
        await again.close();
        await rm(dataFile());
      }
    },
  );
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
