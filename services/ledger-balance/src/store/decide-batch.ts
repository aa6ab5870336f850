import type { Instant } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Account } from '../domain/accounts.js';
import { decide } from '../domain/decide.js';
import {
  applyChanges,
  noChanges,
  userUnitsOf,
  type BookChanges,
  type BalanceChange,
  type Leg,
  type Transfer,
} from '../domain/book-changes.js';
import type { Reservation } from '../domain/reservations.js';
import type { Posted, Posting, OutgoingMessage } from '../use-cases/ports.js';
import { nthCauseOf, referenceKeyOf, type CausedPosting } from './caused-posting.js';
import { isSameRequest, postedBefore, postedOf, type EarlierTransfers } from './earlier-transfers.js';
import { replyFromJournal, subjectAfter, subjectOf } from './posting-subject.js';
import { noUser, type TransferRow } from './schema.js';

/** The input of a batch's decisions. Book, transfers and message ids are working copies that each decision updates. */
export type BatchFacts = {
  readonly book: { readonly accounts: Map<string, Account>; readonly reservations: Map<string, readonly Reservation[]> };
  readonly earlier: EarlierTransfers;
  /** The ids of messages that were already handled. */
  readonly handled: Set<string>;
  /** The aborted saga runs: their messages have no effect. */
  readonly aborted: Set<string>;
  /** The public event about a balance change. */
  readonly eventOf: (change: BalanceChange) => OutgoingMessage;
  readonly newId: NewId;
  readonly at: Instant;
};

/** A transfer to write. */
export type Entry = { readonly row: TransferRow; readonly legs: readonly Leg[] };

/** A posting with the messages it publishes, in order. */
export type PostingMessages = {
  readonly posting: CausedPosting;
  readonly messages: readonly OutgoingMessage[];
  /** Whether the messages may have been published before: the inbox row of an old message is pruned. */
  readonly isRepeated?: boolean;
  /** The run to record as aborted, because the posting compensates a step that never ran. */
  readonly abortedRun?: SagaRunId | undefined;
};

/** What a batch writes. */
export type BatchChanges = {
  readonly entries: readonly Entry[];
  /** The changed accounts and reservations in their new state. */
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
};

export type DecidedBatch = BatchChanges & {
  readonly results: readonly PromiseSettledResult<Posted>[];
  /** The messages to publish, by posting. Refused messages are among them, with their replies. */
  readonly outgoing: readonly PostingMessages[];
};

type Progress = {
  readonly entries: Entry[];
  readonly reservations: Map<string, Reservation>;
  readonly outgoing: PostingMessages[];
};

/**
 * Decides the postings of a batch in order, in memory. A refused request does not affect the other postings. A message that fails
 * rolls the batch back, because its inbox row must not be committed.
 */
export function decideBatch(postings: readonly CausedPosting[], facts: BatchFacts): DecidedBatch {
  const locked = [...facts.book.accounts.values()];
  const progress: Progress = { entries: [], reservations: new Map(), outgoing: [] };
  const results = postings.map((posting) => tryDecide(posting, facts, progress));
  const { entries, reservations, outgoing } = progress;
  // A map preserves its order, and a changed account is a new object.
  const accounts = [...facts.book.accounts.values()].filter((account, index) => account !== locked[index]);
  return { results, entries, accounts, reservations: [...reservations.values()], outgoing };
}

function tryDecide(posting: CausedPosting, facts: BatchFacts, progress: Progress): PromiseSettledResult<Posted> {
  try {
    return { status: 'fulfilled', value: resultOf(posting, facts, progress) };
  } catch (reason) {
    if (posting.message !== undefined) throw reason;
    return { status: 'rejected', reason };
  }
}

function resultOf(posting: CausedPosting, facts: BatchFacts, progress: Progress): Posted {
  const earlier = earlierResultOf(posting, facts) ?? sameCauseResultOf(posting, facts, progress);
  return earlier ?? abortedResultOf(posting, facts, progress) ?? decideOne(posting, facts, progress);
}

/** The first result of a repeated posting, from an earlier batch or from earlier in this one. */
function earlierResultOf(posting: CausedPosting, { book, earlier, handled, aborted, at }: BatchFacts): Posted | undefined {
  const { message } = posting;
  if (message === undefined) return postedBefore(posting, subjectOf(posting, book.accounts), earlier);
  return handled.has(message.id) || aborted.has(message.sagaRunId ?? '') ? nothingPosted(at) : undefined;
}

/**
 * The result of a message whose cause another message or a request had before: nothing changes, and it gets its own reply. Throws
 * if that was another operation; then the message is parked, because an operator must look at it. The correction of a settlement
 * has no reply of its own then: the message about the payout brings it.
 */
function sameCauseResultOf(posting: CausedPosting, facts: BatchFacts, progress: Progress): Posted | undefined {
  const row = posting.message === undefined ? undefined : facts.earlier.byCause.get(posting.cause);
  if (row === undefined) return undefined;
  const { accounts } = facts.book;
  if (posting.instruction.does === 'settle') {
    publish({ posting, messages: [] }, facts, progress);
    return nothingPosted(facts.at);
  }
  if (!isSameRequest(posting, subjectOf(posting, accounts), row)) throw new Error(`${posting.cause} was another operation`);
  publish({ posting, messages: replyFromJournal(posting, [row], accounts), isRepeated: true }, facts, progress);
  return nothingPosted(facts.at);
}

function decideOne(posting: CausedPosting, facts: BatchFacts, progress: Progress): Posted {
  const changes = attempt(posting, facts);
  if (changes instanceof AppError) {
    const reply = posting.reply?.refused?.(subjectOf(posting, facts.book.accounts), changes);
    if (reply === undefined) throw changes;
    publish({ posting, messages: [reply] }, facts, progress);
    return nothingPosted(facts.at);
  }
  const messages = changes.balanceChanges.map(facts.eventOf);
  if (posting.reply !== undefined)
    messages.push(posting.reply.done(subjectAfter(posting, changes, facts.book.accounts), changes));
  if (posting.audit !== undefined) messages.push(...posting.audit(changes));
  const entries = changes.transfers.map((transfer, nth) => toEntry(posting, transfer, nth, facts));
  // Nothing may throw from here on, because the book and the pending rows must change together.
  applyChanges(facts.book, changes);
  for (const reservation of changes.reservations) progress.reservations.set(reservation.id, reservation);
  for (const entry of entries) addEntry(entry, facts, progress);
  publish({ posting, messages }, facts, progress);
  const last = entries.at(-1);
  return last === undefined ? nothingPosted(facts.at) : postedOf(last.row);
}

/**
 * The result of a compensation whose run was aborted before its deduction: nothing changes, its reply is published, and the late
 * deduction is refused. Undefined for every other posting.
 */
function abortedResultOf(posting: CausedPosting, facts: BatchFacts, progress: Progress): Posted | undefined {
  const { instruction, message } = posting;
  if (instruction.does !== 'restore' || instruction.deductionCause === undefined) return undefined;
  if (facts.earlier.byCause.has(instruction.deductionCause)) return undefined;
  const reply = posting.reply?.done(subjectOf(posting, facts.book.accounts), noChanges);
  const abortedRun = message?.sagaRunId;
  publish({ posting, messages: reply === undefined ? [] : [reply], abortedRun }, facts, progress);
  if (abortedRun !== undefined) facts.aborted.add(abortedRun);
  return nothingPosted(facts.at);
}

function attempt({ instruction }: Posting, { book, newId }: BatchFacts): BookChanges | AppError {
  if (instruction.does === 'refuse') return instruction.refusal;
  try {
    return decide(book, instruction, () => newId('res'));
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

function toEntry(posting: CausedPosting, transfer: Transfer, nth: number, { newId, at }: BatchFacts): Entry {
  const row: TransferRow = {
    ...userColumns(transfer),
    id: newId('tr'),
    cause: nthCauseOf(posting, nth),
    type: posting.type,
    marketplaceId: posting.marketplaceId,
    orderId: posting.orderId ?? null,
    milestoneRef: posting.milestoneRef ?? null,
    reference: posting.reference ?? null,
    referenceKey: referenceKeyOf(posting) ?? null,
    description: posting.description ?? null,
    createdAt: at,
  };
  return { row, legs: transfer.legs };
}

function userColumns(transfer: Transfer): Pick<TransferRow, keyof typeof noUser> {
  const { user } = transfer;
  if (user === null) return noUser;
  return {
    accountId: user.id,
    availableChangeUnits: userUnitsOf(transfer, 'available'),
    reservedChangeUnits: userUnitsOf(transfer, 'reserved'),
    availableUnits: user.availableUnits,
    reservedUnits: user.reservedUnits,
    accountVersion: user.version,
    feeUnits: transfer.feeUnits ?? null,
  };
}

/** Adds the transfer to the earlier ones too, because a later posting of this batch may repeat it. */
function addEntry(entry: Entry, { earlier }: BatchFacts, { entries }: Progress): void {
  const { row } = entry;
  entries.push(entry);
  earlier.byCause.set(row.cause, row);
  if (row.referenceKey !== null) earlier.byReference.set(row.referenceKey, row);
}

function publish({ posting, ...published }: PostingMessages, { handled }: BatchFacts, { outgoing }: Progress): void {
  outgoing.push({ posting, ...published });
  if (posting.message !== undefined) handled.add(posting.message.id);
}

/** The result of a message that changes no balance. No caller reads it. */
function nothingPosted(at: Instant): Posted {
  return { transferId: null, availableUnits: 0n, reservedUnits: 0n, at };
}
