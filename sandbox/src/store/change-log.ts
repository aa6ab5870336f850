import { mkdir, open, readFile, readdir, rename, truncate, type FileHandle } from 'node:fs/promises';
import path from 'node:path';

/** Lines that survive the end of the process, one for each commit. */
export type ChangeLog = {
  readonly append: (line: string) => void;
  /** The line is in the batch of the next line that is appended otherwise, or in one of its own after a second. */
  readonly appendLater: (line: string) => void;
  /** Resolves once all lines so far are on the disk, except those that may be later. After the first failed write it always rejects. */
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type ChangeLogOptions = {
  readonly folder: string;
  /** Called for each line of the file, in order; throws where it cannot be understood. */
  readonly replay: (line: string) => void;
  /** Whether the file has become so long that a snapshot should replace it. */
  readonly isTooLong: () => boolean;
  /** Lines with the same effect as all lines so far. */
  readonly snapshot: () => Iterable<string>;
  /** How long a line that may be later waits for another one. */
  readonly laterMs?: number | undefined;
};

const laterMsDefault = 1_000;
const fileName = 'commits.jsonl';

/**
 * One file to which each batch of lines is appended with one sync. Lines that arrive during the sync form the next batch. A kill
 * leaves all batches but the last one whole: a line without its end was never acknowledged, and the next start cuts it off.
 */
export async function openChangeLog(options: ChangeLogOptions): Promise<ChangeLog> {
  const { folder, replay, isTooLong, snapshot, laterMs = laterMsDefault } = options;
  await mkdir(folder, { recursive: true });
  await refuseOlderFiles(folder);
  const name = path.join(folder, fileName);
  await replayFile(name, replay);
  let file = await open(name, 'a');
  await syncFolder(folder);
  let next: Snapshot | undefined;

  const write = async (lines: readonly string[]): Promise<void> => {
    if (next === undefined && isTooLong()) next = startSnapshot(`${name}.new`, snapshot());
    if (next?.isWritten !== true) {
      await appendLines(file, lines);
      next?.since.push(...lines);
      return;
    }
    const replacement = await next.writing;
    // The snapshot may have a part of a commit that was made meanwhile. The whole lines behind it make it right.
    await appendLines(replacement, [...next.since, ...lines]);
    // Killed before the rename: the old file has all that was acknowledged. After it: the new file has it, and these lines too.
    await rename(`${name}.new`, name);
    await syncFolder(folder);
    await file.close();
    [file, next] = [replacement, undefined];
  };

  const batches = createBatches(write, laterMs);
  return {
    ...batches,
    close: async () => {
      await batches.close();
      await next?.writing.then((unused) => unused.close()).catch(() => undefined);
      await file.close();
    },
  };
}

/** Writes one batch after the other. The lines that arrive during a write are the next one. */
function createBatches(write: (lines: readonly string[]) => Promise<void>, laterMs: number): ChangeLog {
  let pending: string[] = [];
  let written = Promise.resolve();
  let isQueued = false;
  let later: NodeJS.Timeout | undefined;

  const writePending = (): Promise<void> => {
    clearTimeout(later);
    const lines = pending;
    [pending, isQueued, later] = [[], false, undefined];
    return write(lines);
  };
  const queue = (): void => {
    if (isQueued) return;
    isQueued = true;
    written = written.then(writePending);
    // Those who wait for it see the error; without them it must not end the process.
    written.catch(() => undefined);
  };

  return {
    append: (line) => {
      pending.push(line);
      queue();
    },
    appendLater: (line) => {
      pending.push(line);
      later ??= setTimeout(queue, laterMs);
    },
    durable: () => written,
    close: async () => {
      clearTimeout(later);
      if (pending.length > 0) queue();
      await written.catch(() => undefined);
    },
  };
}

const olderFile = /^(changes|(journal|snapshot)-\d+)\.jsonl$/;

/** The network must not start anew beside data that this version cannot read. */
async function refuseOlderFiles(folder: string): Promise<void> {
  const older = (await readdir(folder)).find((each) => olderFile.test(each));
  if (older === undefined) return;
  throw new Error(`the sandbox's data in ${folder} are of an older version (${older}): remove the folder for a new network`);
}

const newline = 0x0a;

/** Damage before the end would lose acknowledged commits, so the start fails. */
async function replayFile(name: string, replay: (line: string) => void): Promise<void> {
  const bytes = await readFile(name, { flag: 'a+' });
  let [start, number] = [0, 1];
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    try {
      replay(bytes.toString('utf8', start, end));
    } catch (cause) {
      throw new Error(`the sandbox's data are damaged at ${name}:${number}: restore a backup or remove the folder`, { cause });
    }
    [start, number] = [end + 1, number + 1];
  }
  if (start < bytes.length) await truncate(name, start);
}

/** A file that replaces the log with the first batch after it is written. Until then batches are in the old file, too. */
type Snapshot = { readonly writing: Promise<FileHandle>; isWritten: boolean; readonly since: string[] };

function startSnapshot(name: string, lines: Iterable<string>): Snapshot {
  const started: Snapshot = { writing: writeSnapshot(name, lines), isWritten: false, since: [] };
  const end = (): void => void (started.isWritten = true);
  started.writing.then(end, end);
  return started;
}

const linesPerWrite = 500;

/** Requests are served between the writes. A kill leaves a file that nothing reads and that the next snapshot overwrites. */
async function writeSnapshot(name: string, lines: Iterable<string>): Promise<FileHandle> {
  const file = await open(name, 'w');
  let chunk: string[] = [];
  for (const line of lines) {
    if (chunk.push(line) < linesPerWrite) continue;
    await file.appendFile(textOf(chunk));
    chunk = [];
  }
  await file.appendFile(textOf(chunk));
  return file;
}

async function appendLines(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(textOf(lines));
  await file.datasync();
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** Makes the names of the files durable. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
