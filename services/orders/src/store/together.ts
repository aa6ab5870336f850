import { createBatcher } from '@holdfast/shared/batching';
import { AppError, isAppError } from '@holdfast/shared/errors';
import { codeOf, isUnavailable, toAppError, type Database, type Tx } from '@holdfast/shared/postgres';

/** Takes note of what is to be written. It is, unless the decision throws. */
export type Write = (act: (tx: Tx) => void) => void;

/** What somebody does to one order. It may be done again from the start, and has no effect but what it writes. */
export type Job<Result> = {
  readonly orderId: string;
  /** Asks in one breath for what the decision depends on, and answers with the decision. */
  readonly read: (tx: Tx) => Promise<(write: Write) => Result>;
  /** Its reading has left a trace, which must not stay if the decision is a refusal. */
  readonly leavesTrace?: true;
};

export type Together = {
  readonly submit: <Result>(job: Job<Result>) => Promise<Result>;
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
 * Concurrent jobs on different orders share a transaction: one trip reads for all of them, one writes and commits. A job that
 * comes alone goes at once.
 */
export function workTogether(database: Pick<Database, 'inTransaction'>): Together {
  const { submit, drain } = createBatcher<Job<unknown>, unknown>({
    run: (jobs) => runByTurns(database, jobs),
    sizeMax: jobsMax,
    waitMs: gatherMs,
    inFlightMax: commitsInFlightMax,
    waitingMax: jobsWaitingMax,
    overflow: () => new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }),
  });
  return { submit: async <Result>(job: Job<Result>) => (await submit(job)) as Result, drain };
}

/** A transaction of its own. */
export async function workAlone<Result>(database: Pick<Database, 'inTransaction'>, job: Job<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const [result] = await commitTogether(database, [job]);
      if (result?.status === 'fulfilled') return result.value as Result;
      throw result?.reason;
    } catch (error) {
      // A rival got ahead: the next try finds what it did.
      if (attempt >= attemptsMax || codeOf(error) !== uniqueViolation) throw error;
    }
  }
}

/** Of several jobs on one order each must see what the one before has done, so they take turns. */
async function runByTurns(database: Pick<Database, 'inTransaction'>, jobs: readonly Job<unknown>[]): Promise<Results> {
  const results = new Map<Job<unknown>, PromiseSettledResult<unknown>>();
  for (let left = jobs; left.length > 0; left = left.filter((job) => !results.has(job))) {
    const turn = [...new Map(left.toReversed().map((job) => [job.orderId, job])).values()];
    // Orders are locked in one order by everybody.
    turn.sort((one, other) => (one.orderId < other.orderId ? -1 : 1));
    const done = await runOrSplit(database, turn);
    turn.forEach((job, index) => results.set(job, done[index] ?? noResult));
  }
  return jobs.map((job) => results.get(job) ?? noResult);
}

const noResult: PromiseRejectedResult = { status: 'rejected', reason: new Error('the job was left out') };

/** Where a transaction breaks, its jobs are done one by one, so that a bad one fails alone. */
async function runOrSplit(database: Pick<Database, 'inTransaction'>, jobs: readonly Job<unknown>[]): Promise<Results> {
  const eachAlone = () => Promise.allSettled(jobs.map((job) => workAlone(database, job)));
  if (jobs.length === 1) return eachAlone();
  try {
    return await commitTogether(database, jobs);
  } catch (error) {
    if (isUnavailable(error)) throw toAppError(error);
    return eachAlone();
  }
}

function commitTogether(database: Pick<Database, 'inTransaction'>, jobs: readonly Job<unknown>[]): Promise<Results> {
  return database.inTransaction(async (tx) => {
    const decisions = await Promise.all(jobs.map((job) => job.read(tx)));
    return decisions.map((decide, index) => decided(tx, decide, jobs[index]?.leavesTrace === true));
  });
}

/** A refusal leaves the neighbours alone. Whatever else goes wrong undoes the transaction. */
function decided(tx: Tx, decide: (write: Write) => unknown, leavesTrace: boolean): PromiseSettledResult<unknown> {
  const acts: ((tx: Tx) => void)[] = [];
  try {
    const value = decide((act) => acts.push(act));
    for (const act of acts) act(tx);
    return { status: 'fulfilled', value };
  } catch (reason) {
    if (leavesTrace || !isAppError(reason)) throw reason;
    return { status: 'rejected', reason };
  }
}
