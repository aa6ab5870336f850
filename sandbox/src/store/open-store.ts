import type { Log } from '@holdfast/kernel/context';
import { decodeLine, encodeLine } from './codec.js';
import { findGenerations, journalFile, readLines, removeBefore, snapshotFile, syncFolder, writeSnapshot } from './generations.js';
import { openJournal, type Journal } from './journal.js';
import { tableNames } from './records.js';
import type { Change, OnNew, Store } from './store.js';
import { createTables, isTableName, type Recorder, type Tables } from './tables.js';

export type StoreOptions = {
  readonly log: Log;
  readonly onNew: OnNew;
  readonly folder?: string | undefined;
  readonly journalBytesMax?: number | undefined;
};

/** Size of the journal at which a snapshot is written and a new journal starts. */
const journalBytesMaxDefault = 64 * 1024 * 1024;
const snapshotChunkRecords = 500;

export async function openStore(options: StoreOptions): Promise<Store> {
  const tables = createTables(options.onNew);
  const { find, all, count } = tables;
  if (options.folder === undefined) {
    const ignore = (): void => undefined;
    return {
      find,
      all,
      count,
      begin: () => tables.begin(ignore),
      durable: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
  }
  const persistence = await openPersistence(tables, { ...options, folder: options.folder });
  return {
    find,
    all,
    count,
    begin: () => tables.begin(persistence.record),
    durable: persistence.durable,
    close: persistence.close,
  };
}

type Persistence = {
  readonly record: Recorder;
  readonly durable: () => Promise<void>;
  readonly close: () => Promise<void>;
};

type PersistenceOptions = StoreOptions & { readonly folder: string };

/** Replays the files of the folder, and opens the journal. */
async function openPersistence(tables: Tables, options: PersistenceOptions): Promise<Persistence> {
  const { folder, log, journalBytesMax = journalBytesMaxDefault } = options;
  let generation = await replay(tables, folder);
  let journal = await openJournal(journalFile(folder, generation));
  await syncFolder(folder);
  let older: Journal | undefined;
  let compacting: Promise<void> | undefined;

  /**
   * The new journal starts before the snapshot, and the tables may change while the snapshot is written. Replaying the new
   * journal over the snapshot gives the right state, because each change contains the whole record.
   */
  const compact = async (): Promise<void> => {
    const next = await openJournal(journalFile(folder, generation + 1));
    await syncFolder(folder);
    [older, journal, generation] = [journal, next, generation + 1];
    await older.durable();
    await writeSnapshot(folder, generation, chunksOf(tables));
    await older.close();
    older = undefined;
    await removeBefore(folder, generation);
    log.info({ folder, generation }, 'snapshot written');
  };

  const record: Recorder = (changes, urgency) => {
    journal.append(encodeLine(changes), urgency);
    if (compacting !== undefined || journal.bytes() <= journalBytesMax) return;
    compacting = compact()
      .catch((error: unknown) => log.error({ folder, error }, 'snapshot failed'))
      .finally(() => (compacting = undefined));
  };

  return {
    record,
    durable: () => (older === undefined ? journal.durable() : older.durable().then(() => journal.durable())),
    close: async () => {
      await compacting;
      await journal.close();
    },
  };
}

/** Replays all files and returns the generation of the current journal. */
async function replay(tables: Tables, folder: string): Promise<number> {
  const { snapshot, journals } = await findGenerations(folder);
  const files = [
    ...(snapshot === undefined ? [] : [snapshotFile(folder, snapshot)]),
    ...journals.map((generation) => journalFile(folder, generation)),
  ];
  for (const file of files) {
    for (const [index, line] of (await readLines(file)).entries()) tables.apply(changesOf(line, `${file}:${index + 1}`));
  }
  return journals.at(-1) ?? snapshot ?? 1;
}

/** A line that cannot be decoded means damaged data, so the start fails instead of losing records. */
function changesOf(line: string, location: string): readonly Change[] {
  try {
    const changes = decodeLine(line);
    if (Array.isArray(changes) && changes.every(isChange)) return changes;
  } catch (error) {
    throw new Error(`the sandbox's data is damaged at ${location}`, { cause: error });
  }
  throw new Error(`the sandbox's data is damaged at ${location}`);
}

function isChange(change: unknown): change is Change {
  return Array.isArray(change) && change.length === 3 && typeof change[0] === 'string' && isTableName(change[0]);
}

/** Chunks let the event loop run between writes, so that a snapshot does not block requests. */
function* chunksOf(tables: Tables): Generator<string> {
  for (const table of tableNames) {
    let changes: unknown[] = [];
    for (const [key, value] of tables.entries(table)) {
      changes.push([table, key, value]);
      if (changes.length < snapshotChunkRecords) continue;
      yield `${encodeLine(changes)}\n`;
      changes = [];
    }
    if (changes.length > 0) yield `${encodeLine(changes)}\n`;
  }
}
