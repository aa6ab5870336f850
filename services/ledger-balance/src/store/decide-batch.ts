import type { Instant } from '@holdfast/shared/context';
import { AppError, isAppError } from '@holdfast/shared/errors';
import type { NewId } from '@holdfast/shared/ids';
import { accountKey, userAccount, type Account } from '../domain/accounts.js';
import { decide } from '../domain/decide.js';
import { applyDecision, type Decision, type Fact } from '../domain/decision.js';
import { currencyOf, usersOf } from '../domain/instructions.js';
import type { Reservation } from '../domain/reservations.js';
import type { Posted, Posting, Told } from '../use-cases/ports.js';
import { referenceKeyOf, type Entry } from './batch-rows.js';
import { sameResult, type Repeat } from './repeats.js';

/** What a batch is decided on. The book is a working copy: decisions change it one after the other. */
export type BatchFacts = {
  readonly book: { readonly accounts: Map<string, Account>; readonly reservations: Map<string, readonly Reservation[]> };
  /** Earlier postings with the same cause or reference, by the posting's position in the batch. */
  readonly repeats: ReadonlyMap<number, Repeat>;
  /** Messages the inbox knows already. */
  readonly heard: ReadonlySet<string>;
  /** The public event that tells of a fact. */
  readonly eventOf: (fact: Fact) => Told;
  readonly newId: NewId;
  readonly at: Instant;
};

/** A posting with what it tells, in the order it is told. */
export type Telling = { readonly posting: Posting; readonly told: readonly Told[] };

export type DecidedBatch = {
  readonly results: readonly PromiseSettledResult<Posted>[];
  /** The transfers to write, and the decisions they belong to with the accounts and reservations they leave. */
  readonly entries: readonly Entry[];
  readonly changes: readonly Decision[];
  /** What is told, and which messages are noted as heard; refused messages among them. */
  readonly tellings: readonly Telling[];
};

type Progress = {
  readonly entries: Entry[];
  readonly changes: Decision[];
  readonly tellings: Telling[];
  readonly decided: Map<string, Repeat>;
};

/** Decides every posting of a batch in its order, in memory. One that is refused leaves its neighbours alone. */
export function decideBatch(postings: readonly Posting[], facts: BatchFacts): DecidedBatch {
  const progress: Progress = { entries: [], changes: [], tellings: [], decided: new Map() };
  const results = postings.map((posting, position) =>
    settled(() => repeated(posting, position, facts, progress) ?? decideOne(posting, facts, progress)),
  );
  return { results, entries: progress.entries, changes: progress.changes, tellings: progress.tellings };
}

/** The first result, when this posting came before: in an earlier batch, or further up in this one. */
function repeated(
  posting: Posting,
  position: number,
  { heard, repeats, at }: BatchFacts,
  { decided }: Progress,
): Posted | undefined {
  if (posting.message !== undefined && heard.has(posting.message.id)) {
    return { transferId: null, availableUnits: 0n, reservedUnits: 0n, at };
  }
  const earlier =
    repeats.get(position) ??
    keysOf(posting)
      .map((key) => decided.get(key))
      .find((found) => found !== undefined);
  return earlier === undefined ? undefined : sameResult(posting, earlier);
}

function decideOne(posting: Posting, facts: BatchFacts, progress: Progress): Posted {
  const before = subjectOf(posting, facts.book.accounts);
  const outcome = attempt(posting, facts);
  if (outcome instanceof AppError) {
    const reply = posting.reply?.refused?.(before, outcome);
    if (reply === undefined) throw outcome;
    progress.tellings.push({ posting, told: [reply] });
    return remember(posting, { transferId: null, availableUnits: 0n, reservedUnits: 0n, at: facts.at }, progress);
  }
  const after = outcome.accounts.find(({ id }) => id === before.id) ?? before;
  const reply = posting.reply?.done(after, outcome);
  const told = [...outcome.facts.map(facts.eventOf), ...(reply === undefined ? [] : [reply])];
  const entries = outcome.transfers.map((transfer) => ({ posting, transfer, id: facts.newId('tr') }));
  // Nothing may fail from here on: the book and the rows to write change together.
  applyDecision(facts.book, outcome);
  progress.entries.push(...entries);
  progress.changes.push(outcome);
  progress.tellings.push({ posting, told });
  const { availableUnits, reservedUnits } = after;
  return remember(posting, { transferId: entries.at(-1)?.id ?? null, availableUnits, reservedUnits, at: facts.at }, progress);
}

function attempt({ instruction }: Posting, { book, newId }: BatchFacts): Decision | AppError {
  try {
    return decide(book, instruction, () => newId('res'));
  } catch (error) {
    if (isAppError(error)) return error;
    throw error;
  }
}

/** Later postings of this batch may be repeats of this one. */
function remember(posting: Posting, posted: Posted, { decided }: Progress): Posted {
  for (const key of keysOf(posting)) decided.set(key, { posting, posted, isByCause: key === posting.cause });
  return posted;
}

/** The account of the user a posting is about. */
function subjectOf({ instruction }: Posting, accounts: ReadonlyMap<string, Account>): Account {
  const [userId = ''] = usersOf(instruction);
  const account = accounts.get(accountKey(userAccount(userId, currencyOf(instruction))));
  if (account === undefined) throw new Error(`the account of ${userId} is not locked`);
  return account;
}

function keysOf(posting: Posting): readonly string[] {
  return [posting.cause, referenceKeyOf(posting)].filter((key) => key !== undefined);
}

function settled(work: () => Posted): PromiseSettledResult<Posted> {
  try {
    return { status: 'fulfilled', value: work() };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}
