import { createBatcher, crowdOfCommits } from '@holdfast/shared/batching';
import { AppError, isAppError } from '@holdfast/shared/errors';
import { codeOf, isUnavailable, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';

/** Decides, and notes in the draft what is to be written. It is, unless the decision throws. */
export type Decide<Draft, Result> = (draft: Draft) => Result;

/** What somebody does to one order. It may be done again from the start, and has no effect but what it writes. */
export type Job<Draft, Result> = {
  readonly orderId: string;
  /** Asks in one breath for what the decision depends on, and answers with the decision. */
  readonly read: (tx: Tx) => Promise<Decide<Draft, Result>>;
  /** The same from what is known without asking; what it then writes must fail where that is no longer true. */
  readonly recall?: () => Decide<Draft, Result> | undefined;
  /** Its reading has left a trace, which must not stay if the decision is a refusal. */
  readonly leavesTrace?: true;
};

export type Workshop<Draft> = {
  readonly database: Pick<Database, 'inTransaction'>;
  readonly newDraft: () => Draft;
  /** Has all of it go out with the commit. */
  readonly write: (tx: Tx, drafts: readonly Draft[]) => void;
  /** Something was recalled, and the transaction came to nothing. */
  readonly mistaken: (error: unknown) => void;
};

export type Together<Draft> = {
  readonly submit: <Result>(job: Job<Draft, Result>) => Promise<Result>;
  readonly drain: () => Promise<void>;
};

type Results = readonly PromiseSettledResult<unknown>[];

/** Jobs that share a commit, and how long they gather while another commit is under way. */
const jobsMax = 32;
const gatherMs = 10;
const commitsInFlightMax = 4;
/** Beyond this the service is slower than its callers, and says so. */
const jobsWaitingMax = 10_000;
const attemptsMax = 5;
const uniqueViolation = '23505';

/**
 * Concurrent jobs on different orders share a transaction: one trip reads for those that must be read for, one writes and
 * commits for all. A job that comes alone goes at once.
 */
export function workTogether<Draft>(shop: Workshop<Draft>): Together<Draft> {
  const { submit, drain } = createBatcher<Job<Draft, unknown>, unknown>({
    run: (jobs) => runByTurns(shop, jobs),
    sizeMax: jobsMax,
    waitMs: gatherMs,
    crowd: crowdOfCommits,
    inFlightMax: commitsInFlightMax,
    waitingMax: jobsWaitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
  });
  return { submit: async <Result>(job: Job<Draft, Result>) => (await submit(job)) as Result, drain };
}

/** A transaction of its own, for which everything is read. */
export async function workAlone<Draft, Result>(shop: Workshop<Draft>, job: Job<Draft, Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [result] = await commitTogether(shop, [job], new Map());
      if (result?.status === 'fulfilled') return result.value as Result;
      throw result?.reason;
    } catch (error) {
      // A rival got ahead: the next try finds what it did.
      if (attempt >= attemptsMax || codeOf(error) !== uniqueViolation) throw error;
    }
  }
}

/** Of several jobs on one order each must see what the one before has done, so they take turns. */
async function runByTurns<Draft>(shop: Workshop<Draft>, jobs: readonly Job<Draft, unknown>[]): Promise<Results> {
  const results = new Map<Job<Draft, unknown>, PromiseSettledResult<unknown>>();
  for (let left = jobs; left.length > 0; left = left.filter((job) => !results.has(job))) {
    const turn = [...new Map(left.toReversed().map((job) => [job.orderId, job])).values()];
    // Orders are locked in one order by everybody.
    turn.sort((one, other) => (one.orderId < other.orderId ? -1 : 1));
    const done = await runOrSplit(shop, turn);
    turn.forEach((job, index) => results.set(job, done[index] ?? noResult));
  }
  return jobs.map((job) => results.get(job) ?? noResult);
}

const noResult: PromiseRejectedResult = { status: 'rejected', reason: new Error('the job was left out') };

/** Where a transaction breaks, its jobs are read for, and at last done one by one, so that a bad one fails alone. */
async function runOrSplit<Draft>(shop: Workshop<Draft>, jobs: readonly Job<Draft, unknown>[]): Promise<Results> {
  const recalled = recallFor(shop, jobs);
  if (recalled.size > 0) {
    const done = await unlessBroken(commitTogether(shop, jobs, recalled), shop.mistaken);
    if (done !== undefined) return done;
  }
  const done = jobs.length === 1 ? undefined : await unlessBroken(commitTogether(shop, jobs, new Map()));
  return done ?? Promise.allSettled(jobs.map((job) => workAlone(shop, job)));
}

async function unlessBroken(results: Promise<Results>, broken?: (error: unknown) => void): Promise<Results | undefined> {
  try {
    return await results;
  } catch (error) {
    if (isUnavailable(error)) throw toAppError(error);
    broken?.(error);
    return undefined;
  }
}

type Decided<Draft> = { readonly result: PromiseSettledResult<unknown>; readonly drafts: readonly Draft[] };
type Recalled<Draft> = ReadonlyMap<Job<Draft, unknown>, Decided<Draft>>;

/** What can be decided without asking. Nothing is refused so: whatever throws is decided again on what is read. */
function recallFor<Draft>(shop: Workshop<Draft>, jobs: readonly Job<Draft, unknown>[]): Recalled<Draft> {
  const recalled = new Map<Job<Draft, unknown>, Decided<Draft>>();
  for (const job of jobs) {
    const decide = job.recall?.();
    if (decide === undefined) continue;
    const decided = attempt(shop, decide);
    if (decided.result.status === 'fulfilled') recalled.set(job, decided);
  }
  return recalled;
}

function commitTogether<Draft>(
  shop: Workshop<Draft>,
  jobs: readonly Job<Draft, unknown>[],
  recalled: Recalled<Draft>,
): Promise<Results> {
  return shop.database.inTransaction(async (tx) => {
    const unknown = jobs.filter((job) => !recalled.has(job));
    const readings = await Promise.all(unknown.map((job) => job.read(tx)));
    const decided = jobs.map((job) => recalled.get(job) ?? decidedOn(shop, job, readings[unknown.indexOf(job)]));
    shop.write(
      tx,
      decided.flatMap(({ drafts }) => drafts),
    );
    return decided.map(({ result }) => result);
  });
}

/** A refusal leaves the neighbours alone. Whatever else goes wrong undoes the transaction. */
function decidedOn<Draft>(
  shop: Workshop<Draft>,
  { leavesTrace }: Job<Draft, unknown>,
  decide: Decide<Draft, unknown> | undefined,
): Decided<Draft> {
  if (decide === undefined) return { result: noResult, drafts: [] };
  const decided = attempt(shop, decide);
  const { result } = decided;
  if (result.status === 'rejected' && (leavesTrace === true || !isAppError(result.reason))) throw result.reason;
  return decided;
}

function attempt<Draft>({ newDraft }: Workshop<Draft>, decide: Decide<Draft, unknown>): Decided<Draft> {
  const draft = newDraft();
  try {
    return { result: { status: 'fulfilled', value: decide(draft) }, drafts: [draft] };
  } catch (reason) {
    return { result: { status: 'rejected', reason }, drafts: [] };
  }
}
