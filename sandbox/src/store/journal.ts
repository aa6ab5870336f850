import { writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Lines that are appended to a file and forced to the disk, many at a time. */
export type Journal = {
  readonly append: (line: string) => void;
  /** For lines that nobody waits for: they go along with the next ones, or alone after a while. */
  readonly appendLater: (line: string) => void;
  /** Resolves once everything appended so far, except for later, is on the disk; rejects for good after the first failure. */
  readonly durable: () => Promise<void>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
};

type Waiter = { readonly position: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** How long a line that nobody waits for waits for company. */
const laterMs = 100;

/**
 * While one write is on its way to the disk the next lines gather, and then share a single write and sync: the cost of a
 * sync is paid once per round, however many callers wait.
 */
export async function openJournal(file: string): Promise<Journal> {
  const handle = await open(file, 'a');
  let bytes = (await handle.stat()).size;
  let lines: string[] = [];
  let [appended, awaited, written] = [0, 0, 0];
  let waiters: Waiter[] = [];
  let writing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;

  const add = (line: string): void => {
    if (failure !== undefined) throw failure.error;
    lines.push(line);
    appended += 1;
  };

  const append = (line: string): void => {
    add(line);
    awaited = appended;
    writing ??= writeAll();
  };

  const appendLater = (line: string): void => {
    add(line);
    if (writing === undefined) writeLater();
  };

  const writeLater = (): void => {
    later ??= setTimeout(() => (writing ??= writeAll()), laterMs);
  };

  const writeAll = async (): Promise<void> => {
    clearTimeout(later);
    later = undefined;
    // The turn of the event loop is used up first, so that what arrived together is written together.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      do await writeRound();
      while (written < awaited);
    } catch (error) {
      failure = { error };
      for (const { reject } of waiters) reject(error);
      waiters = [];
    }
    writing = undefined;
    if (lines.length > 0 && failure === undefined) writeLater();
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
    if (written >= awaited) return Promise.resolve();
    return new Promise((resolve, reject) => void waiters.push({ position: awaited, resolve, reject }));
  };

  const close = async (): Promise<void> => {
    await writing;
    if (lines.length > 0 && failure === undefined) await writeAll();
    await handle.close();
  };

  return { append, appendLater, durable, bytes: () => bytes, close };
}

/** Writing fills the system's memory, which costs less here than to ask another thread for it; the disk is what takes long. */
async function writeLines(handle: FileHandle, lines: readonly string[]): Promise<number> {
  const data = Buffer.from(`${lines.join('\n')}\n`);
  for (let done = 0; done < data.length; ) done += writeSync(handle.fd, data, done);
  await handle.datasync();
  return data.length;
}
