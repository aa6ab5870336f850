import { constants, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Urgency } from './store.js';

/** Write-ahead journal: lines are appended to a file and synced in batches. */
export type Journal = {
  /** A line with the urgency `later` is written with the next batch, or after `batchDelayMs`. */
  readonly append: (line: string, urgency: Urgency) => void;
  /** Resolves once all lines appended with the urgency `now` are synced; after the first failure it always rejects. */
  readonly durable: () => Promise<void>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
};

/** Maximum delay of a line with the urgency `later`. */
const batchDelayMs = 100;
/** The file is preallocated with zeros, because a sync is faster while the file does not grow. */
const reserveBytes = 256 * 1024;

/** Group commit: lines that arrive during a write and sync form the next batch, so that callers share the cost of a sync. */
export async function openJournal(file: string): Promise<Journal> {
  const handle = await open(file, constants.O_RDWR | constants.O_CREAT);
  const waiters = createWaiters();
  const { size } = await handle.stat();
  const position = { bytes: size, reservedBytes: size };
  let lines: string[] = [];
  let [appended, awaited, written] = [0, 0, 0];
  let writing: Promise<void> | undefined;
  let later: NodeJS.Timeout | undefined;
  let failure: { readonly error: unknown } | undefined;

  const write = (): void => {
    writing ??= writeAll();
  };

  const writeAll = async (): Promise<void> => {
    clearTimeout(later);
    later = undefined;
    // Waits for the end of the event loop's turn, so that lines of the same turn share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      do {
        const batch = lines;
        lines = [];
        await writeLines(handle, batch, position);
        written += batch.length;
        waiters.resolve(written);
      } while (written < awaited);
      if (lines.length > 0) later = setTimeout(write, batchDelayMs);
    } catch (error) {
      failure = { error };
      waiters.reject(error);
    }
    writing = undefined;
  };

  return {
    append: (line, urgency) => {
      if (failure !== undefined) throw failure.error;
      lines.push(line);
      appended += 1;
      if (urgency === 'now') {
        awaited = appended;
        write();
      } else if (writing === undefined) later ??= setTimeout(write, batchDelayMs);
    },
    durable: () => {
      if (failure !== undefined) return Promise.reject(new Error('the journal cannot be written', { cause: failure.error }));
      return written >= awaited ? Promise.resolve() : waiters.wait(awaited);
    },
    bytes: () => position.bytes,
    close: async () => {
      await writing;
      if (later !== undefined) write();
      await writing;
      if (failure === undefined) await handle.truncate(position.bytes);
      await handle.close();
    },
  };
}

type Waiter = { readonly position: number; readonly resolve: () => void; readonly reject: (error: unknown) => void };

/** Callers that wait until a line is written. */
function createWaiters() {
  let waiters: Waiter[] = [];
  return {
    wait: (position: number): Promise<void> => new Promise((resolve, reject) => void waiters.push({ position, resolve, reject })),
    resolve: (written: number): void => {
      const done = waiters.filter(({ position }) => position <= written);
      waiters = waiters.filter(({ position }) => position > written);
      for (const { resolve } of done) resolve();
    },
    reject: (error: unknown): void => {
      for (const { reject } of waiters) reject(error);
      waiters = [];
    },
  };
}

/** The end of the lines and the end of the file. The bytes between are zeros. */
type FilePosition = { bytes: number; reservedBytes: number };

/** The write is synchronous because it only fills the page cache, which is cheaper than a call to the thread pool. */
async function writeLines(handle: FileHandle, lines: readonly string[], position: FilePosition): Promise<void> {
  const text = Buffer.from(`${lines.join('\n')}\n`);
  const fits = position.bytes + text.length <= position.reservedBytes;
  const data = fits ? text : Buffer.concat([text], text.length + reserveBytes);
  for (let done = 0; done < data.length;) done += writeSync(handle.fd, data, done, data.length - done, position.bytes + done);
  await handle.datasync();
  if (!fits) position.reservedBytes = position.bytes + data.length;
  position.bytes += text.length;
}
