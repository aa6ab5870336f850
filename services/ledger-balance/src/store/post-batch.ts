import { retry } from '@holdfast/kernel/async';
import type { Results } from '@holdfast/messaging/batching';
import type { Clock, Instant } from '@holdfast/kernel/context';
import { causeEventId, envelopeOf, predecessorEventId, stepMessageIds, type Envelope } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId } from '@holdfast/kernel/ids';
import { type Outbox } from '@holdfast/messaging/outbox';
import { lockRuns, recordAbortedRun } from '@holdfast/sagas/runs';
import { codeOf, type Database, type Tx } from '@holdfast/postgres';
import { accountKey, type AccountRef } from '../domain/accounts.js';
import { accountsOf } from '../domain/instructions.js';
import type { Posted, Posting } from '../use-cases/ports.js';
import type { AccountDirectory, Located } from './account-directory.js';
import { readBook, sharedIdsOf, type ResolvedPosting, type ResolvedAccount } from './batch-facts.js';
import type { CausedPosting } from './caused-posting.js';
import { decideBatch, type BatchFacts, type PostingMessages } from './decide-batch.js';
import { rebuildReplies } from './earlier-replies.js';
import { readEarlierTransfers } from './earlier-transfers.js';
import { handledMessages, readKnownMessages } from './known-messages.js';
import { writeBatch } from './write-batch.js';

export type PostingDeps = {
  readonly database: Database;
  readonly directory: AccountDirectory;
  readonly outbox: Pick<Outbox, 'addEnvelopes' | 'republish' | 'writeWithMessages'>;
  readonly eventOf: BatchFacts['eventOf'];
  readonly clock: Clock;
  readonly newId: NewId;
};

type Options = { readonly mayBeCommitted: boolean };

const uniqueViolation = '23505';
const conflictRetries = { attemptsMax: 5, firstDelayMs: 1 } as const;

/**
 * Posts a batch in one commit. A concurrent posting may have just committed the same operation id, reference or message. Then the
 * insert fails with a unique violation, and the next attempt finds the committed transfer or inbox row.
 */
export function postBatch(deps: PostingDeps, postings: readonly CausedPosting[], options: Options): Promise<Results<Posted>> {
  const shouldRetry = (error: unknown): boolean => codeOf(error) === uniqueViolation;
  return retry(() => postOnce(deps, postings, options), { ...conflictRetries, shouldRetry });
}

/**
 * Three round trips when all accounts are cached: lock and read, write, commit. Runs are locked before accounts, so that a command
 * that waits for the abort of its run has locked nothing.
 */
function postOnce(deps: PostingDeps, postings: readonly CausedPosting[], options: Options): Promise<Results<Posted>> {
  const { database, outbox, eventOf, clock, newId } = deps;
  return database.inTransaction(async (tx) => {
    const resolved = await resolveAccounts(deps, tx, postings);
    const resolvedPostings = resolved.map(({ posting }) => posting);
    const [, { book, earliestAt }, earlier, known] = await Promise.all([
      lockRuns(tx, sagaRunsOf(resolvedPostings)),
      readBook(tx, resolved),
      readEarlierTransfers(tx, resolvedPostings, options),
      readKnownMessages(tx, resolvedPostings),
    ]);
    const at = notBefore(earliestAt, clock.now());
    const repeated = await rebuildReplies(tx, resolvedPostings, known, book.accounts);
    const [handled, aborted] = [new Set(known.handled), new Set(known.abortedRuns.keys())];
    const { results, outgoing, ...changes } = decideBatch(resolvedPostings, {
      book,
      handled,
      earlier,
      aborted,
      eventOf,
      newId,
      at,
    });
    writeBatch(tx, { ...changes, sharedIds: sharedIdsOf(resolved), at });
    const published = outgoing.map((messages) => ({ ...messages, envelopes: envelopesOf(messages, at, newId) }));
    const inboxRows = handledMessages(resolvedPostings, known, new Map(published.flatMap(repliesOf)));
    if (inboxRows !== undefined) outbox.writeWithMessages(tx, inboxRows);
    recordAbortedRuns(tx, published);
    const rebuilt = repeated.flatMap((messages) => envelopesOf(messages, at, newId));
    const ofAborted = resolvedPostings.flatMap(({ message }) => known.abortedRuns.get(message?.sagaRunId ?? '') ?? []);
    const again = [...[...known.replies.values()].flat(), ...rebuilt, ...ofAborted];
    await publishAll(outbox, tx, [...published, { isRepeated: true, envelopes: again }]);
    const resultOf = new Map(resolvedPostings.map((posting, index) => [posting, results[index]]));
    return postings.map((posting) => resultOf.get(posting) ?? { status: 'rejected', reason: userNotFound(posting) });
  });
}

type ToPublish = Pick<Published, 'envelopes' | 'isRepeated'>;

async function publishAll(outbox: PostingDeps['outbox'], tx: Tx, all: readonly ToPublish[]): Promise<void> {
  for (const { envelopes, isRepeated = false } of all) {
    if (envelopes.length === 0) continue;
    await (isRepeated ? outbox.republish(tx, envelopes) : outbox.addEnvelopes(tx, envelopes));
  }
}

/** Another process's clock may be ahead. Even so, the history of an account must not go back in time. */
function notBefore(earliest: Instant | undefined, now: Instant): Instant {
  return earliest === undefined || earliest < now ? now : earliest;
}

/** Leaves out postings whose user is unknown or belongs to another marketplace. */
async function resolveAccounts(
  { directory, clock }: PostingDeps,
  tx: Tx,
  postings: readonly CausedPosting[],
): Promise<readonly ResolvedPosting[]> {
  const wanted = postings.map((posting) => ({ posting, refs: accountsOf(posting.instruction) }));
  const names = wanted.flatMap(({ refs }) => refs);
  const located = await directory.locate(tx, names, clock.now());
  return wanted.flatMap(({ posting, refs }) => {
    const accounts = refs
      .map((ref) => resolveAccount(posting, ref, located.get(accountKey(ref))))
      .filter((found) => found !== undefined);
    return accounts.length === refs.length ? [{ posting, accounts }] : [];
  });
}

function resolveAccount({ marketplaceId }: Posting, ref: AccountRef, located: Located | undefined): ResolvedAccount | undefined {
  if (located === undefined) return undefined;
  return ref.kind === 'user' && located.marketplaceId !== marketplaceId ? undefined : { ref, id: located.id };
}

function sagaRunsOf(postings: readonly Posting[]): readonly string[] {
  return [...new Set(postings.map(({ message }) => message?.sagaRunId).filter((id) => id !== undefined))];
}

/** Stores the replies of aborted runs. They are published again when the late command arrives. */
function recordAbortedRuns(tx: Tx, published: readonly Published[]): void {
  for (const { abortedRun, envelopes } of published) if (abortedRun !== undefined) recordAbortedRun(tx, abortedRun, envelopes);
}

function userNotFound({ instruction }: Posting): AppError {
  return new AppError('USER_NOT_FOUND', 'userId' in instruction ? { userId: instruction.userId } : {});
}

type Published = PostingMessages & { readonly envelopes: readonly Envelope[] };

function repliesOf({ posting: { message }, envelopes }: Published): readonly (readonly [string, readonly Envelope[]])[] {
  return message === undefined ? [] : [[message.id, envelopes]];
}

/**
 * The ids of outgoing messages follow from the incoming message, so that publishing them twice makes duplicates, not new
 * messages.
 */
function envelopesOf({ posting, messages }: PostingMessages, at: Instant, newId: NewId): readonly Envelope[] {
  const { message, marketplaceId, requestId, traceparent } = posting;
  const messageId =
    message === undefined
      ? () => newId('evt')
      : stepMessageIds({ cause: message.id, name: message.type, at: message.occurredAt });
  const causationId = message === undefined ? undefined : causeEventId(message);
  let afterEventId = message === undefined ? undefined : predecessorEventId(message);
  let replyCausationId = causationId;
  return messages.map((item) => {
    const { aggregateId, aggregatePart, aggregateVersion, payload } = item;
    const { type, version, aggregateType, visibility } = item.declaration;
    const id = messageId(type);
    const isPublic = visibility === 'public';
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
      causationId: isPublic ? causationId : replyCausationId,
      afterEventId,
      saga: message?.saga,
      sagaRunId: message?.sagaRunId,
      traceparent,
    };
    if (isPublic) [afterEventId, replyCausationId] = [id, id];
    return envelopeOf(frame, payload);
  });
}
