import type { Clock } from '@holdfast/shared/context';
import type { Envelope } from '@holdfast/shared/contracts/messages';
import { AppError } from '@holdfast/shared/errors';
import { idFromParts, type NewId } from '@holdfast/shared/ids';
import type { Inbox, Outbox } from '@holdfast/shared/outbox';
import { codeOf, isUnavailable, RepeatTransaction, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';
import { accountKey } from '../domain/accounts.js';
import { accountsOf, lockedAccountsOf } from '../domain/instructions.js';
import type { Posted, Posting } from '../use-cases/ports.js';
import type { AccountDirectory, Located } from './account-directory.js';
import { readBook, readRepeats } from './batch-facts.js';
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

type Results = readonly PromiseSettledResult<Posted>[];

/** Posts a batch in one commit. A posting that cannot be decided, or that breaks the batch, fails alone. */
export async function postBatch(deps: PostingDeps, postings: readonly Posting[]): Promise<Results> {
  try {
    const located = await deps.directory.locate(
      postings.flatMap(({ instruction }) => accountsOf(instruction)),
      deps.clock.now(),
    );
    const known = postings.filter((posting) => belongs(posting, located));
    const results = known.length === 0 ? [] : await postKnown(deps, known, located);
    const byPosting = new Map(known.map((posting, index) => [posting, results[index]]));
    return postings.map((posting) => byPosting.get(posting) ?? { status: 'rejected', reason: userNotFound(posting) });
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

function postKnown(deps: PostingDeps, postings: readonly Posting[], located: ReadonlyMap<string, Located>): Promise<Results> {
  const { database, messaging, eventOf, clock, newId } = deps;
  return database.inTransaction(async (tx) => {
    const book = await readBook(tx, { postings, located });
    const heard = await readHeard(messaging, tx, postings);
    const repeats = await readRepeats(tx, { postings, located });
    const at = clock.now();
    const { results, entries, changes, tellings } = decideBatch(postings, { book, heard, repeats, eventOf, newId, at });
    if (entries.length > 0) await write(tx, batchParameters({ entries, changes, located, at }));
    const heardNow = tellings.flatMap(({ posting }) => posting.message?.id ?? []);
    if (heardNow.length > 0) await messaging.noteHeard(tx, heardNow);
    const envelopes = tellings.flatMap((telling) => envelopesOf(telling, clock, newId));
    if (envelopes.length > 0) await messaging.tell(tx, envelopes);
    return results;
  });
}

/** A rival on another account may have used the same operation id or reference a moment ago: the next try finds it. */
async function write(tx: Tx, parameters: readonly string[]): Promise<void> {
  try {
    await tx.query(writeBatch, parameters);
  } catch (error) {
    if (codeOf(error) !== uniqueViolation) throw error;
    throw new RepeatTransaction('a cause or reference of the batch was used meanwhile');
  }
}

async function readHeard(messaging: Messaging, tx: Tx, postings: readonly Posting[]): Promise<ReadonlySet<string>> {
  const ids = postings.flatMap(({ message }) => message?.id ?? []);
  return ids.length === 0 ? new Set() : messaging.heard(tx, ids);
}

/** Whether every account exists, and every user among them is one of the posting's marketplace. */
function belongs({ instruction, marketplaceId }: Posting, located: ReadonlyMap<string, Located>): boolean {
  return lockedAccountsOf(instruction).every((ref) => {
    const found = located.get(accountKey(ref));
    return found !== undefined && (ref.kind !== 'user' || found.marketplaceId === marketplaceId);
  });
}

function userNotFound({ instruction }: Posting): AppError {
  return new AppError('USER_NOT_FOUND', 'userId' in instruction ? { userId: instruction.userId } : {});
}

/** The ids of what a message leads to follow from it, so that telling it twice is telling the same message. */
function envelopesOf({ posting, told }: Telling, clock: Clock, newId: NewId): readonly Envelope[] {
  const { message, marketplaceId, requestId } = posting;
  return told.map(({ declaration, aggregateId, aggregatePart, aggregateVersion, payload }) => {
    const envelope: Envelope = {
      id: message === undefined ? newId('evt') : idFromParts('evt', message.id, declaration.type, aggregateId),
      type: declaration.type,
      version: declaration.version,
      occurredAt: clock.now(),
      aggregateType: declaration.aggregateType,
      aggregateId,
      aggregateVersion,
      aggregatePart,
      marketplaceId,
      correlationId: requestId,
      payload,
    };
    return message === undefined ? envelope : causedBy(message, envelope);
  });
}

function causedBy({ id, sagaRunId }: Envelope, envelope: Envelope): Envelope {
  return { ...envelope, causationId: id, ...(sagaRunId === undefined ? {} : { sagaRunId }) };
}
