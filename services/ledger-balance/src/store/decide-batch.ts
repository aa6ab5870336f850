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
  /** The transfers to write, with the accounts and reservations they leave. */
  readonly entries: readonly Entry[];
  readonly accounts: readonly Account[];
  readonly reservations: readonly Reservation[];
  /** What is told, and which messages are noted as heard; refused messages among them. */
  readonly tellings: readonly Telling[];
};

type Progress = {
  readonly entries: Entry[];
  readonly reservations: Map<string, Reservation>;
  readonly tellings: Telling[];
  readonly decided: Map<string, Repeat>;
};

/** Decides every posting of a batch in its order, in memory. One that is refused leaves its neighbours alone. */
export function decideBatch(postings: readonly Posting[], facts: BatchFacts): DecidedBatch {
  const locked = [...facts.book.accounts.values()];
  const progress: Progress = { entries: [], reservations: new Map(), tellings: [], decided: new Map() };
  const results = postings.map((posting, position) => settled(posting, position, facts, progress));
  const { entries, reservations, tellings } = progress;
  // The book keeps its order, and an account that changed is another object.
  const accounts = [...facts.book.accounts.values()].filter((account, index) => account !== locked[index]);
  return { results, entries, accounts, reservations: [...reservations.values()], tellings };
}

function settled(posting: Posting, position: number, facts: BatchFacts, progress: Progress): PromiseSettledResult<Posted> {
  try {
    return { status: 'fulfilled', value: repeated(posting, position, facts, progress) ?? decideOne(posting, facts, progress) };
  } catch (reason) {
    return { status: 'rejected', reason };
  }
}

/** The first result, when this posting came before: in an earlier batch, or further up in this one. */
function repeated(
  posting: Posting,
  position: number,
  { heard, repeats, at }: BatchFacts,
  { decided }: Progress,
): Posted | undefined {
  const { message, cause } = posting;
  if (message !== undefined && heard.has(message.id)) {
    return { transferId: null, availableUnits: 0n, reservedUnits: 0n, at };
  }
  const referenceKey = referenceKeyOf(posting);
  const earlier =
    repeats.get(position) ??
    (cause === undefined ? undefined : decided.get(cause)) ??
    (referenceKey === undefined ? undefined : decided.get(referenceKey));
  return earlier === undefined ? undefined : sameResult(posting, earlier);
}

function decideOne(posting: Posting, facts: BatchFacts, progress: Progress): Posted {
  const outcome = attempt(posting, facts);
  if (outcome instanceof AppError) {
    const reply = posting.reply?.refused?.(subjectOf(posting, facts.book.accounts), outcome);
    if (reply === undefined) throw outcome;
    progress.tellings.push({ posting, told: [reply] });
    return remember(posting, { transferId: null, availableUnits: 0n, reservedUnits: 0n, at: facts.at }, progress);
  }
  const after = subjectAfter(posting, outcome, facts.book.accounts);
  const told = outcome.facts.map(facts.eventOf);
  if (posting.reply !== undefined) told.push(posting.reply.done(after, outcome));
  const entries = outcome.transfers.map((transfer, nth) => {
    return { id: facts.newId('tr'), posting, cause: nthCauseOf(posting, nth), transfer };
  });
  // Nothing may fail from here on: the book and the rows to write change together.
  applyDecision(facts.book, outcome);
  for (const reservation of outcome.reservations) progress.reservations.set(reservation.id, reservation);
  progress.entries.push(...entries);
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
  const { cause } = posting;
  const referenceKey = referenceKeyOf(posting);
  if (cause !== undefined) decided.set(cause, { posting, posted, isByCause: true });
  if (referenceKey !== undefined) decided.set(referenceKey, { posting, posted, isByCause: false });
  return posted;
}

/** The account of the user a posting is about. */
function subjectOf({ instruction }: Posting, accounts: ReadonlyMap<string, Account>): Account {
  const [userId = ''] = usersOf(instruction);
  const account = accounts.get(accountKey(userAccount(userId, currencyOf(instruction))));
  if (account === undefined) throw new Error(`the account of ${userId} is not locked`);
  return account;
}

/** The same as the decision leaves it. Every change of a user's account is told, so what is told last is how it stands. */
function subjectAfter(posting: Posting, { facts }: Decision, accounts: ReadonlyMap<string, Account>): Account {
  const [userId] = usersOf(posting.instruction);
  return facts.findLast(({ after }) => after.owner === userId)?.after ?? subjectOf(posting, accounts);
}

function nthCauseOf({ cause }: Posting, nth: number): string | undefined {
  return cause === undefined || nth === 0 ? cause : `${cause}#${nth.toString()}`;
}
