import type { Broker } from '../broker/index.js';
import type { Log } from '../context/index.js';
import type { NewId, SagaRunId } from '../ids/index.js';
import type { Database, Tx } from '../postgres/index.js';
import type { BegunSagaRun, EndOfRun, NewSagaRun, Outcome, SagaRun } from './saga-run.js';
import {
  answerRun,
  answerRunWithCommit,
  closeRun,
  closeRunsWithCommit,
  insertRuns,
  pruneRuns,
  selectOpenRun,
  selectOutcomes,
  selectStandingStill,
  type SettledRun,
} from './saga-run-store.js';
import { createWaitingRoom } from './waiting-room.js';

export type SettlementOptions = {
  readonly database: Pick<Database, 'pool' | 'lists'>;
  readonly broker: Pick<Broker, 'onBroadcast' | 'replyQueue' | 'notify'>;
  readonly newId: NewId;
  readonly log: Log;
  /** The safety net for notifications that were lost. */
  readonly pollEveryMs?: number;
};

/** How a request waits for the end of the saga it began, whichever replica brings it to its end. */
export type Settlement = {
  readonly begin: (tx: Tx, run: NewSagaRun) => Promise<SagaRunId>;
  /** The same for runs that have their names already. */
  readonly beginAll: (tx: Tx, runs: readonly BegunSagaRun[]) => void;
  /** Whether this call closed it: the first one wins, and a run stays as it was closed. */
  readonly close: (tx: Tx, runId: SagaRunId, outcome: Outcome) => Promise<boolean>;
  /** The same for whoever need not know, and for any number of runs; it costs no trip to the database of its own. */
  readonly closeAllWithCommit: (tx: Tx, ends: readonly EndOfRun[]) => void;
  /** Answers whoever waits while the run stays open: the saga goes on, and its end is nobody's news any more. */
  readonly answer: (tx: Tx, runId: SagaRunId, outcome: Outcome) => Promise<boolean>;
  /** The same for whoever need not know. */
  readonly answerWithCommit: (tx: Tx, runId: SagaRunId, outcome: Outcome) => void;
  /** PROVIDER_TIMEOUT at the time limit, while the saga goes on. An aborted signal ends the wait with its reason. */
  readonly wait: (runId: SagaRunId, timeoutMs: number, signal?: AbortSignal) => Promise<Outcome>;
  /** Open runs that began before that long ago, oldest first. */
  readonly standingStill: (olderThanMs: number, limitMax: number) => Promise<readonly SagaRun[]>;
  /** Undefined where the run is closed, or was never begun here. */
  readonly findOpen: (runId: SagaRunId) => Promise<SagaRun | undefined>;
  /** Forgets runs that were closed long ago. Returns how many went. */
  readonly prune: (signal: AbortSignal) => Promise<number>;
  /** Ends every wait; the sagas go on. */
  readonly stop: () => void;
};

const defaultPollEveryMs = 500;
const settledTopic = 'saga-run-settled';

export function createSettlement(options: SettlementOptions): Settlement {
  const { database, broker, newId, log, pollEveryMs = defaultPollEveryMs } = options;
  const room = createWaitingRoom({ pollEveryMs, log, readOutcomes: (runIds) => selectOutcomes(database, runIds) });
  const stopListening = broker.onBroadcast([settledTopic], ({ key }) => room.look(key));
  const beginAll = (tx: Tx, runs: readonly BegunSagaRun[]): void => insertRuns(tx, runs, broker.replyQueue());
  /** Resolves the requests that wait in this process, else notifies the process that started the run. */
  const wakeUp = ({ id, outcome, replyQueue }: SettledRun): void => {
    if (room.settle(id, outcome) || replyQueue === null || replyQueue === broker.replyQueue()) return;
    broker.notify(replyQueue, { topic: settledTopic, key: id });
  };
  const wakeUpAfterCommit = (tx: Tx, run: SettledRun | undefined): boolean => {
    if (run === undefined) return false;
    tx.afterCommit(() => wakeUp(run));
    return true;
  };
  return {
    begin: (tx, run) => {
      const id = newId('run');
      beginAll(tx, [{ ...run, id }]);
      return Promise.resolve(id);
    },
    beginAll,
    close: async (tx, runId, outcome) => wakeUpAfterCommit(tx, await closeRun(tx, { runId, outcome })),
    closeAllWithCommit: (tx, ends) => {
      closeRunsWithCommit(tx, ends, (run) => wakeUpAfterCommit(tx, run));
    },
    answer: async (tx, runId, outcome) => wakeUpAfterCommit(tx, await answerRun(tx, { runId, outcome })),
    answerWithCommit: (tx, runId, outcome) => {
      answerRunWithCommit(tx, { runId, outcome }, (run) => wakeUpAfterCommit(tx, run));
    },
    wait: room.wait,
    standingStill: (olderThanMs, limitMax) => selectStandingStill(database, olderThanMs, limitMax),
    findOpen: (runId) => selectOpenRun(database, runId),
    prune: (signal) => pruneRuns(database, signal),
    stop: () => {
      stopListening();
      room.close();
    },
  };
}
