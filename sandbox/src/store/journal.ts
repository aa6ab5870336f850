import { open, type FileHandle } from 'node:fs/promises';

/** Lines that are appended to a file and forced to the disk, many at a time. */
export type Journal = {
  readonly append: (line: string) => void;
  /** Resolves once everything appended so far is on the disk; rejects for good after the first failure. */
  readonly durable: () => Promise<void>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
};

type Waiter = { readonly position: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/**
 * While one write is on its way to the disk the next lines gather, and then share a single write and sync: the cost of a
 * sync is paid once per round, however many callers wait.
 */
export async function openJournal(file: string): Promise<Journal> {
  const handle = await open(file, 'a');
  let bytes = (await handle.stat()).size;
  let lines: string[] = [];
  let [appended, written] = [0, 0];
  let waiters: Waiter[] = [];
  let writing: Promise<void> | undefined;
  let failure: { readonly error: unknown } | undefined;

  const append = (line: string): void => {
    if (failure !== undefined) throw failure.error;
    lines.push(line);
    appended += 1;
    writing ??= writeAll();
  };

  const writeAll = async (): Promise<void> => {
    // The turn of the event loop is used up first, so that what arrived together is written together.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      while (lines.length > 0) await writeRound();
    } catch (error) {
      failure = { error };
      for (const { reject } of waiters) reject(error);
      waiters = [];
    }
    writing = undefined;
  };

  const writeRound = async (): Promise<void> => {
    const round = lines;
    lines = [];
    bytes += await writeLines(handle, round);
    written += round.length;
    const done = waiters.filter(({ position }) => position <= written);
    waiters = waiters.filter(({ position }) => position > written);
    for (const { resolve } of done) resolve();
  };

  const durable = (): Promise<void> => {
    if (failure !== undefined) return Promise.reject(new Error('the journal cannot be written', { cause: failure.error }));
    if (written === appended) return Promise.resolve();
    return new Promise((resolve, reject) => void waiters.push({ position: appended, resolve, reject }));
  };

  const close = async (): Promise<void> => {
    await writing;
    await handle.close();
  };

  return { append, durable, bytes: () => bytes, close };
}

async function writeLines(handle: FileHandle, lines: readonly string[]): Promise<number> {
  const data = Buffer.from(`${lines.join('\n')}\n`);
  await handle.appendFile(data);
  await handle.datasync();
  return data.length;
}
