import { constants, writeSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import type { Urgency } from './store.js';

/** Lines that are appended to a file and forced to the disk, many at a time. */
export type Journal = {
  /** What is for later goes along with the next line, or alone after a while. */
  readonly append: (line: string, urgency: Urgency) => void;
  /** Resolves once everything appended so far, except for later, is on the disk; rejects for good after the first failure. */
  readonly durable: () => Promise<void>;
  readonly bytes: () => number;
  readonly close: () => Promise<void>;
};

/** How long a line that nobody waits for waits for company. */
const batchDelayMs = 100;
/** Room that is filled with zeros ahead: a sync is faster where the file does not grow. */
const reserveBytes = 256 * 1024;

/**
 * While one write is on its way to the disk the next lines gather, and then share a single write and sync: the cost of a
 * sync is paid once per round, however many callers wait.
 */
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
    // The turn of the event loop is used up first, so that what arrived together is written together.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      do {
        const round = lines;
        lines = [];
        await writeLines(handle, round, position);
        written += round.length;
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

/** Whoever waits until a line is written. */
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

/** Where the next line goes, and how far the file reaches. Beyond its lines there is nothing but zeros. */
type FilePosition = { bytes: number; reservedBytes: number };

/** Writing fills the system's memory, which costs less here than to ask another thread for it; the disk is what takes long. */
async function writeLines(handle: FileHandle, lines: readonly string[], position: FilePosition): Promise<void> {
  const text = Buffer.from(`${lines.join('\n')}\n`);
  const isRoom = position.bytes + text.length <= position.reservedBytes;
  const data = isRoom ? text : Buffer.concat([text], text.length + reserveBytes);
  for (let done = 0; done < data.length;) done += writeSync(handle.fd, data, done, data.length - done, position.bytes + done);
  await handle.datasync();
  if (!isRoom) position.reservedBytes = position.bytes + data.length;
  position.bytes += text.length;
}
