import { createBatcher, crowdOfCommits } from '@holdfast/shared/batching';
import { AppError } from '@holdfast/shared/errors';
import type { MessageId } from '@holdfast/shared/ids';
import { isUnavailable, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';

/** What is to be written about one intent. It may be asked again from the start, and has no effect but what it writes. */
type Entry = { readonly intentId: MessageId; readonly write: (tx: Tx) => void | Promise<void> };

/** Writes about an intent, in a commit that whatever is written about others at the same time shares. */
export type ShareCommit = (intentId: MessageId, write: Entry['write']) => Promise<void>;

/** Entries that share a commit, how far apart those commits begin, and how long entries gather while one is under way. */
const entriesMax = 32;
const spacingMs = 2;
const gatherMs = 10;
const commitsInFlightMax = 4;
/** Beyond this the database is slower than the lanes, and they are told so. */
const entriesWaitingMax = 10_000;

type Transactions = Pick<Database, 'inTransaction'>;

/** Intents are worked on independently of each other. One that comes alone is written at once. */
export function shareCommits(database: Transactions): ShareCommit {
  const { submit } = createBatcher<Entry, undefined>({
    run: (entries) => writeOrSplit(database, entries),
    sizeMax: entriesMax,
    spacingMs,
    crowd: crowdOfCommits,
    waitMs: gatherMs,
    inFlightMax: commitsInFlightMax,
    waitingMax: entriesWaitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
  });
  return (intentId, write) => submit({ intentId, write });
}

type Results = readonly PromiseSettledResult<undefined>[];

/** Where a commit breaks, each is written alone, so that a lost lease or a bad message concerns nobody else. */
async function writeOrSplit(database: Transactions, entries: readonly Entry[]): Promise<Results> {
  if (entries.length === 1) return eachAlone(database, entries);
  try {
    await writeAll(database, inOneOrder(entries));
    return entries.map(() => written);
  } catch (error) {
    if (isUnavailable(error)) throw toAppError(error);
    return eachAlone(database, entries);
  }
}

const written = { status: 'fulfilled', value: undefined } as const;

function eachAlone(database: Transactions, entries: readonly Entry[]): Promise<Results> {
  return Promise.allSettled(entries.map((entry) => writeAll(database, [entry])));
}

/** Rows are locked in one order by everybody. */
function inOneOrder(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((one, other) => (one.intentId < other.intentId ? -1 : Number(one.intentId > other.intentId)));
}

async function writeAll(database: Transactions, entries: readonly Entry[]): Promise<undefined> {
  await database.inTransaction(async (tx) => {
    for (const { write } of entries) await write(tx);
  });
}
