import type { Clock, Instant } from '@holdfast/shared/context';
import { envelopeOf, eventToFollow, type Envelope } from '@holdfast/shared/contracts/messages';
import { AppError } from '@holdfast/shared/errors';
import { idFromParts, type NewId } from '@holdfast/shared/ids';
import type { Inbox, Outbox } from '@holdfast/shared/outbox';
import { codeOf, isUnavailable, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';
import type { AccountRef } from '../domain/accounts.js';
import { accountsOf } from '../domain/instructions.js';
import type { Posted, Posting } from '../use-cases/ports.js';
import type { AccountDirectory, Located } from './account-directory.js';
import { metEscrows, readBook, readRepeats, sharedIdsOf, type Placed } from './batch-facts.js';
import { batchParameters } from './batch-rows.js';
import { decideBatch, type BatchFacts, type Telling } from './decide-batch.js';
import { writeBatch } from './sql/write-batch.js';

/** The inbox and outbox of this service. */
export type Messaging = Inbox & Pick<Outbox, 'tell'>;

export type PostingDeps = {
  readonly database: Database;
  readonly directory: AccountDirectory;
  readonly messaging: Messaging;
  readonly eventOf: BatchFacts['eventOf'];
  readonly clock: Clock;
  readonly newId: NewId;
};

const uniqueViolation = '23505';
const attemptsMax = 5;

type Results = readonly PromiseSettledResult<Posted>[];

/** Posts a batch in one commit. A posting that cannot be decided, or that breaks the batch, fails alone. */
export async function postBatch(deps: PostingDeps, postings: readonly Posting[]): Promise<Results> {
  try {
    const placed = await place(deps, postings);
    const known = placed.filter((found) => found !== undefined);
    const results = known.length === 0 ? [] : await postPlaced(deps, known);
    if (known.length === postings.length) return results;
    const resultOf = new Map(known.map(({ posting }, index) => [posting, results[index]]));
    return postings.map((posting) => resultOf.get(posting) ?? { status: 'rejected', reason: userNotFound(posting) });
  } catch (error) {
    if (postings.length === 1 || isUnavailable(error)) throw toAppError(error);
    return Promise.allSettled(postings.map((posting) => postAlone(deps, posting)));
  }
}

async function postAlone(deps: PostingDeps, posting: Posting): Promise<Posted> {
  const [result] = await postBatch(deps, [posting]);
  if (result?.status === 'fulfilled') return result.value;
  throw result?.reason;
}

/** Undefined where a user is unknown, or is one of another marketplace than the posting. */
async function place({ directory, clock }: PostingDeps, postings: readonly Posting[]): Promise<readonly (Placed | undefined)[]> {
  const refs: AccountRef[] = [];
  const ends = postings.map(({ instruction }) => refs.push(...accountsOf(instruction)));
  const located = await directory.locate(refs, clock.now());
  return postings.map((posting, index) => {
    const accounts = located.slice(ends[index - 1] ?? 0, ends[index]).filter((found) => found !== undefined);
    const areAllFound = accounts.length === (ends[index] ?? 0) - (ends[index - 1] ?? 0);
    return areAllFound && accounts.every((found) => belongs(posting, found)) ? { posting, accounts } : undefined;
  });
}

function belongs({ marketplaceId }: Posting, located: Located): boolean {
  return located.ref.kind !== 'user' || located.marketplaceId === marketplaceId;
}

/**
 * A rival on another account may have used the same operation id or reference a moment ago, or have heard the same message:
 * the commit fails then, and the next try finds what the rival did.
 */
async function postPlaced(deps: PostingDeps, placed: readonly Placed[]): Promise<Results> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await postOnce(deps, placed);
    } catch (error) {
      if (attempt >= attemptsMax || codeOf(error) !== uniqueViolation) throw error;
    }
  }
}

/** Two trips to the database: what the decisions depend on, and what they come to together with the commit. */
function postOnce(
  { database, directory, messaging, eventOf, clock, newId }: PostingDeps,
  placed: readonly Placed[],
): Promise<Results> {
  const postings = placed.map(({ posting }) => posting);
  return database.inTransaction(async (tx) => {
    const [book, heard, repeats] = await Promise.all([
      readBook(tx, placed, clock.now()),
      readHeard(messaging, tx, postings),
      readRepeats(tx, placed),
    ]);
    const at = clock.now();
    const met = metEscrows(placed, book);
    const { results, tellings, ...changes } = decideBatch(postings, { book, heard, repeats, eventOf, newId, at });
    if (changes.entries.length > 0) tx.defer(writeBatch, batchParameters({ sharedIds: sharedIdsOf(placed), at, ...changes }));
    const heardNow = messageIdsOf(tellings.map(({ posting }) => posting));
    if (heardNow.length > 0) messaging.noteHeardWithCommit(tx, heardNow);
    const envelopes = tellings.flatMap((telling) => envelopesOf(telling, at, newId));
    if (envelopes.length > 0) await messaging.tell(tx, envelopes);
    if (met.length > 0) tx.afterCommit(() => directory.remember(met));
    return results;
  });
}

async function readHeard(messaging: Messaging, tx: Tx, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const ids = messageIdsOf(postings);
  return ids.length === 0 ? new Set() : messaging.heard(tx, ids);
}

function messageIdsOf(postings: readonly Posting[]): readonly string[] {
  return postings.map(({ message }) => message?.id).filter((id) => id !== undefined);
}

function userNotFound({ instruction }: Posting): AppError {
  return new AppError('USER_NOT_FOUND', 'userId' in instruction ? { userId: instruction.userId } : {});
}

/** The ids of what a message leads to follow from it, so that telling it twice is telling the same message. */
function envelopesOf({ posting, told }: Telling, at: Instant, newId: NewId): readonly Envelope[] {
  const { message, marketplaceId, requestId } = posting;
  let afterEventId = message === undefined ? undefined : eventToFollow(message);
  return told.map((item) => {
    const { aggregateId, aggregatePart, aggregateVersion, payload } = item;
    const { type, version, aggregateType, visibility } = item.declaration;
    const id = message === undefined ? newId('evt') : idFromParts('evt', message.id, type, aggregateId);
    const frame = {
      id,
      type,
      version,
      occurredAt: at,
      aggregateType,
      aggregateId,
      aggregateVersion,
      aggregatePart,
      marketplaceId,
      correlationId: requestId,
      causationId: message?.id,
      afterEventId,
      saga: message?.saga,
      sagaRunId: message?.sagaRunId,
    };
    if (visibility === 'public') afterEventId = id;
    return envelopeOf(frame, payload);
  });
}
