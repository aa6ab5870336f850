import type { Log } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import type { Broker } from '@holdfast/messaging/broker';
import { createWaiters, readNextDue } from '@holdfast/work';
import { runOutcomeOf } from './run-outcome.js';
import type { EndedRun, NewSagaRun, OpenRuns, RunDeadlines, RunRetries, Runs, SagaOutcome, SagaRunOutcome } from '../saga-run.js';
import {
  respondEarlyWithCommit,
  closeRunsWithCommit,
  countOpenRuns,
  firstDeadline,
  firstRetry,
  insertRuns,
  pruneRuns,
  restartRunRetries,
  selectOutcomes,
  selectRun,
  selectStalledRuns,
  stopRetriesWithCommit,
  takeDueRuns,
  takeOverdueRuns,
  type ClosedRun,
  type CompletedRun,
} from './saga-run-store.js';

export type SagaRunsOptions = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly broker: Pick<Broker, 'onNotification' | 'replyQueue' | 'notify'>;
  readonly log: Log;
  readonly retries: RunRetries;
  readonly deadlines: RunDeadlines;
  /** The interval of the poll that covers lost notifications. */
  readonly pollEveryMs?: number;
  /** Aborted when the process stops. Runs that end within the grace period still get their response. */
  readonly signal?: AbortSignal;
  readonly stopGraceMs?: number;
  /** Called after the commit that has ended a run, in the process that ended it. */
  readonly onEnded?: (run: EndedRun) => void;
};

/** Lets a request wait for the end of the saga run that it started, also when another replica ends it. */
export type SagaRuns<Outcome extends SagaOutcome = SagaOutcome> = Runs<Outcome> & {
  /** Starts the runs together with the commit. */
  readonly startAll: (tx: Tx, runs: readonly NewSagaRun[]) => void;
  /** Closes the runs together with the commit, without a round trip of its own. A run that is closed already stays as it is. */
  readonly closeAllWithCommit: (tx: Tx, ends: readonly SagaRunOutcome[]) => void;
  /** Resolves the waiting request with the commit while the run stays open. The saga continues without it; a second response changes nothing. */
  readonly respondEarlyWithCommit: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => void;
  /** The open runs of each saga that has any. */
  readonly countOpen: () => Promise<readonly OpenRuns[]>;
  /** The command of the run is not resent any more, because no retry helps. */
  readonly stopRetriesWithCommit: (tx: Tx, runId: SagaRunId, reason: string) => void;
  /** Deletes closed runs that are older than the retention. Returns how many. */
  readonly prune: (signal: AbortSignal) => Promise<number>;
  /** Rejects every waiting request with PROVIDER_TIMEOUT; the sagas continue. */
  readonly stop: () => void;
};

const defaultPollEveryMs = 500;
const retryAfterSeconds = 1;
const completedTopic = 'saga-run-completed';

/** `Outcome` is what the service closes its runs with. */
export function createSagaRuns<Outcome extends SagaOutcome = SagaOutcome>(options: SagaRunsOptions): SagaRuns<Outcome> {
  const { database, broker, log, retries, deadlines, pollEveryMs = defaultPollEveryMs, signal, stopGraceMs } = options;
  const readOutcomes = (runIds: readonly string[]) => selectOutcomes(database, runIds);
  const waiters = createWaiters({ name: 'saga runs', readOutcomes, pollEveryMs, log, signal, stopGraceMs });
  const stopListening = broker.onNotification([completedTopic], ({ key }) => waiters.check(key));
  const startAll = (tx: Tx, runs: readonly NewSagaRun[]): void => {
    insertRuns(tx, { runs, replyQueue: broker.replyQueue(), retries, deadlines });
  };
  /** Resolves the requests that wait in this process, else notifies the process that started the run. */
  const wakeUp = ({ id, outcome, replyQueue }: CompletedRun): void => {
    if (waiters.resolve(id, outcome) || replyQueue === null || replyQueue === broker.replyQueue()) return;
    broker.notify(replyQueue, { topic: completedTopic, key: id });
  };
  const wakeUpAfterCommit = (tx: Tx, run: CompletedRun): void => tx.afterCommit(() => wakeUp(run));
  const endAfterCommit = (tx: Tx, run: ClosedRun): void => {
    const { saga, durationSeconds } = run;
    const ended = { saga, durationSeconds, outcome: runOutcomeOf(run, deadlines) };
    tx.afterCommit(() => options.onEnded?.(ended));
    wakeUpAfterCommit(tx, run);
  };
  return {
    startAll,
    closeAllWithCommit: (tx, ends) => {
      closeRunsWithCommit(tx, ends, (run) => endAfterCommit(tx, run));
    },
    respondEarlyWithCommit: (tx, runId, outcome) => {
      respondEarlyWithCommit(tx, { runId, outcome }, (run) => wakeUpAfterCommit(tx, run));
    },
    wait: async (runId, timeoutMs, callerSignal) => {
      const outcome = await waiters.wait(runId, { timeoutMs, signal: callerSignal });
      if (outcome === undefined) throw new AppError('PROVIDER_TIMEOUT', { sagaRunId: runId });
      return outcome as Outcome;
    },
    countOpen: () => countOpenRuns(database),
    stalledRuns: (olderThanMs, limitMax, filter) => selectStalledRuns(database, { olderThanMs, limitMax, filter, deadlines }),
    find: (runId) => selectRun(database, runId, deadlines),
    takeDue: (limitMax) => takeDueRuns(database, retries, limitMax),
    nextDueInMs: () => readNextDue(database.pool, firstRetry),
    takeOverdue: (limitMax) => takeOverdueRuns(database, deadlines, limitMax),
    nextOverdueInMs: () => readNextDue(database.pool, firstDeadline),
    restartRetries: (runId) => restartRunRetries(database, runId, retries),
    stopRetriesWithCommit,
    prune: (signal) => pruneRuns(database, signal),
    requireAccepting: () => {
      if (signal?.aborted === true) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds });
    },
    stop: () => {
      stopListening();
      waiters.close();
    },
  };
}
