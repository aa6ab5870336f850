import type { Log } from '@holdfast/kernel/context';
import type { NewId, SagaRunId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import type { Broker } from '../broker/index.js';
import type { StartedSagaRun, SagaRunOutcome, NewSagaRun, SagaOutcome, SagaRun } from './saga-run.js';
import {
  respondEarly,
  respondEarlyWithCommit,
  closeRun,
  closeRunsWithCommit,
  insertRuns,
  pruneRuns,
  selectOpenRun,
  selectOutcomes,
  selectStalledRuns,
  type SettledRun,
} from './saga-run-store.js';
import { createRunWaiters } from './run-waiters.js';

export type SagaRunsOptions = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly broker: Pick<Broker, 'onNotification' | 'replyQueue' | 'notify'>;
  readonly newId: NewId;
  readonly log: Log;
  /** The safety net for notifications that were lost. */
  readonly pollEveryMs?: number;
};

/** How a request waits for the end of the saga it began, whichever replica brings it to its end. */
export type SagaRuns = {
  readonly start: (tx: Tx, run: NewSagaRun) => Promise<SagaRunId>;
  /** The same for runs that have their names already. */
  readonly startAll: (tx: Tx, runs: readonly StartedSagaRun[]) => void;
  /** Whether this call closed it: the first one wins, and a run stays as it was closed. */
  readonly close: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => Promise<boolean>;
  /** The same for whoever need not know, and for any number of runs; it costs no trip to the database of its own. */
  readonly closeAllWithCommit: (tx: Tx, ends: readonly SagaRunOutcome[]) => void;
  /** Answers whoever waits while the run stays open: the saga goes on, and its end is nobody's news any more. */
  readonly respondEarly: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => Promise<boolean>;
  /** The same for whoever need not know. */
  readonly respondEarlyWithCommit: (tx: Tx, runId: SagaRunId, outcome: SagaOutcome) => void;
  /** PROVIDER_TIMEOUT at the time limit, while the saga goes on. An aborted signal ends the wait with its reason. */
  readonly wait: (runId: SagaRunId, timeoutMs: number, signal?: AbortSignal) => Promise<SagaOutcome>;
  /** Open runs that began before that long ago, oldest first. */
  readonly stalledRuns: (olderThanMs: number, limitMax: number) => Promise<readonly SagaRun[]>;
  /** Undefined where the run is closed, or was never begun here. */
  readonly findOpen: (runId: SagaRunId) => Promise<SagaRun | undefined>;
  /** Forgets runs that were closed long ago. Returns how many went. */
  readonly prune: (signal: AbortSignal) => Promise<number>;
  /** Ends every wait; the sagas go on. */
  readonly stop: () => void;
};

const defaultPollEveryMs = 500;
const settledTopic = 'saga-run-settled';

export function createSagaRuns(options: SagaRunsOptions): SagaRuns {
  const { database, broker, newId, log, pollEveryMs = defaultPollEveryMs } = options;
  const waiters = createRunWaiters({ pollEveryMs, log, readOutcomes: (runIds) => selectOutcomes(database, runIds) });
  const stopListening = broker.onNotification([settledTopic], ({ key }) => waiters.check(key));
  const startAll = (tx: Tx, runs: readonly StartedSagaRun[]): void => insertRuns(tx, runs, broker.replyQueue());
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
  return {
    start: (tx, run) => {
      const id = newId('run');
      startAll(tx, [{ ...run, id }]);
      return Promise.resolve(id);
    },
    startAll,
    close: async (tx, runId, outcome) => wakeUpAfterCommit(tx, await closeRun(tx, { runId, outcome })),
    closeAllWithCommit: (tx, ends) => {
      closeRunsWithCommit(tx, ends, (run) => wakeUpAfterCommit(tx, run));
    },
    respondEarly: async (tx, runId, outcome) => wakeUpAfterCommit(tx, await respondEarly(tx, { runId, outcome })),
    respondEarlyWithCommit: (tx, runId, outcome) => {
      respondEarlyWithCommit(tx, { runId, outcome }, (run) => wakeUpAfterCommit(tx, run));
    },
    wait: waiters.wait,
    stalledRuns: (olderThanMs, limitMax) => selectStalledRuns(database, olderThanMs, limitMax),
    findOpen: (runId) => selectOpenRun(database, runId),
    prune: (signal) => pruneRuns(database, signal),
    stop: () => {
      stopListening();
      waiters.close();
    },
  };
}
