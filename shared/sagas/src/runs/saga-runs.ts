import type { Log } from '@holdfast/kernel/context';
import type { NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import type { Broker } from '@holdfast/messaging/broker';
import { runOutcomeOf } from './run-outcome.js';
import type {
  EndedRun,
  NewSagaRun,
  OpenRuns,
  RunDeadlines,
  RunRetries,
  Runs,
  SagaOutcome,
  SagaRun,
  SagaRunOutcome,
  StartedSagaRun,
} from '../saga-run.js';
import {
  respondEarly,
  respondEarlyWithCommit,
  closeRun,
  closeRunsWithCommit,
  countOpenRuns,
  insertRuns,
  pruneRuns,
  restartRunRetries,
  selectOpenRun,
  selectOutcomes,
  selectStalledRuns,
  stopRetriesWithCommit,
  takeDueRuns,
  takeOverdueRuns,
  type ClosedRun,
  type SettledRun,
} from './saga-run-store.js';
import { createRunWaiters } from './run-waiters.js';

export type SagaRunsOptions = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly broker: Pick<Broker, 'onNotification' | 'replyQueue' | 'notify'>;
  readonly newId: NewId;
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
  readonly start: (tx: Tx, run: NewSagaRun) => Promise<SagaRunId>;
  /** Like `start`, for runs whose ids exist already. */
  readonly startAll: (tx: Tx, runs: readonly StartedSagaRun[]) => void;
  /** Returns whether this call closed the run. Only the first call does; later ones change nothing. */
  readonly close: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => Promise<boolean>;
  /** Closes the runs together with the commit, without a round trip of its own and without a result. */
  readonly closeAllWithCommit: (tx: Tx, ends: readonly SagaRunOutcome[]) => void;
  /** Resolves the waiting request while the run stays open. The saga continues without it. */
  readonly respondEarly: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => Promise<boolean>;
  /** Like `respondEarly`, together with the commit and without a result. */
  readonly respondEarlyWithCommit: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => void;
  /** The open runs of each saga that has any. */
  readonly countOpen: () => Promise<readonly OpenRuns[]>;
  /** The command of the run is not resent any more, because no retry helps. */
  readonly stopRetriesWithCommit: (tx: Tx, runId: SagaRunId, reason: string) => void;
  /** Undefined if the run is closed or was not started by this service. */
  readonly findOpen: (runId: SagaRunId) => Promise<SagaRun | undefined>;
  /** Deletes closed runs that are older than the retention. Returns how many. */
  readonly prune: (signal: AbortSignal) => Promise<number>;
  /** Rejects every waiting request with PROVIDER_TIMEOUT; the sagas continue. */
  readonly stop: () => void;
};

const defaultPollEveryMs = 500;
/** Shorter than the time in which an HTTP server drains, so that a waiting request gets its response before its connection ends. */
const defaultStopGraceMs = 3_000;
const settledTopic = 'saga-run-settled';

/** `Outcome` is what the service closes its runs with. */
export function createSagaRuns<Outcome extends SagaOutcome = SagaOutcome>(options: SagaRunsOptions): SagaRuns<Outcome> {
  const { database, broker, newId, log, retries, deadlines, pollEveryMs = defaultPollEveryMs } = options;
  const waiters = createRunWaiters({ pollEveryMs, log, readOutcomes: (runIds) => selectOutcomes(database, runIds) });
  const stopListening = broker.onNotification([settledTopic], ({ key }) => waiters.check(key));
  options.signal?.addEventListener('abort', () => {
    waiters.stopAccepting();
    setTimeout(waiters.close, options.stopGraceMs ?? defaultStopGraceMs).unref();
  });
  const startAll = (tx: Tx, runs: readonly StartedSagaRun[]): void => {
    insertRuns(tx, { runs, replyQueue: broker.replyQueue(), retries, deadlines });
  };
  /** Resolves the requests that wait in this process, else notifies the process that started the run. */
  const wakeUp = ({ id, outcome, replyQueue }: SettledRun): void => {
    if (waiters.resolve(id, outcome) || replyQueue === null || replyQueue === broker.replyQueue()) return;
    broker.notify(replyQueue, { topic: settledTopic, key: id });
  };
  const wakeUpAfterCommit = (tx: Tx, run: SettledRun | undefined): boolean => {
    if (run === undefined) return false;
    tx.afterCommit(() => wakeUp(run));
    return true;
  };
  const endAfterCommit = (tx: Tx, run: ClosedRun | undefined): boolean => {
    if (run !== undefined && options.onEnded !== undefined) {
      const { saga, durationSeconds } = run;
      const ended = { saga, durationSeconds, outcome: runOutcomeOf(run, deadlines) };
      tx.afterCommit(() => options.onEnded?.(ended));
    }
    return wakeUpAfterCommit(tx, run);
  };
  return {
    start: (tx, run) => {
      const id = newId('run');
      startAll(tx, [{ ...run, id }]);
      return Promise.resolve(id);
    },
    startAll,
    close: async (tx, runId, outcome) => endAfterCommit(tx, await closeRun(tx, { runId, outcome })),
    closeAllWithCommit: (tx, ends) => {
      closeRunsWithCommit(tx, ends, (run) => endAfterCommit(tx, run));
    },
    respondEarly: async (tx, runId, outcome) => wakeUpAfterCommit(tx, await respondEarly(tx, { runId, outcome })),
    respondEarlyWithCommit: (tx, runId, outcome) => {
      respondEarlyWithCommit(tx, { runId, outcome }, (run) => wakeUpAfterCommit(tx, run));
    },
    wait: async (runId, timeoutMs, signal) => (await waiters.wait(runId, timeoutMs, signal)) as Outcome,
    countOpen: () => countOpenRuns(database),
    stalledRuns: (olderThanMs, limitMax) => selectStalledRuns(database, olderThanMs, limitMax),
    takeDue: (limitMax) => takeDueRuns(database, retries, limitMax),
    takeOverdue: (limitMax) => takeOverdueRuns(database, deadlines, limitMax),
    restartRetries: (runId) => restartRunRetries(database, runId, retries),
    stopRetriesWithCommit,
    findOpen: (runId) => selectOpenRun(database, runId),
    prune: (signal) => pruneRuns(database, signal),
    requireAccepting: waiters.requireAccepting,
    stop: () => {
      stopListening();
      waiters.close();
    },
  };
}
