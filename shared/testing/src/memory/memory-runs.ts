import { toEpochMs, toInstant, type Clock, type Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { SagaRunId } from '@holdfast/kernel/ids';
import type { JudgedRun, NewSagaRun, RunDeadlines, RunFilter, RunRetries, Runs, SagaOutcome, SagaRun } from '@holdfast/sagas';
import type { MemoryTables, MemoryTx } from './memory-tables.js';

type RunRow = SagaRun & {
  readonly deadlineAt: Instant | null;
  readonly earlyResponse: SagaOutcome | null;
  readonly outcome: SagaOutcome | null;
  readonly endedAt: Instant | null;
};

export type RunTables = { readonly runs: Map<string, RunRow> };

export type MemoryRunsOptions = { readonly clock: Clock; readonly retries: RunRetries; readonly deadlines: RunDeadlines };

type RunWrites = {
  readonly start: (run: NewSagaRun) => void;
  readonly close: (runId: SagaRunId, outcome: SagaOutcome) => void;
  readonly respondEarly: (runId: SagaRunId, outcome: SagaOutcome) => void;
  readonly stopRetries: (runId: SagaRunId, reason: string) => void;
};

export type MemoryRuns<Outcome extends SagaOutcome> = Runs<Outcome> & {
  /** The writes of a transaction. */
  readonly in: (tx: MemoryTx<RunTables>) => RunWrites;
  /** The process stops: no request may start a run any more. */
  readonly stopAccepting: () => void;
};

type Waiters = Map<string, Set<(outcome: SagaOutcome) => void>>;

export function memoryRuns<Outcome extends SagaOutcome = SagaOutcome>(
  tables: MemoryTables<RunTables>,
  options: MemoryRunsOptions,
): MemoryRuns<Outcome> {
  const waiters: Waiters = new Map();
  let isAccepting = true;
  return {
    in: (tx) => writesIn(tx, options, waiters),
    stopAccepting: () => {
      isAccepting = false;
    },
    requireAccepting: () => {
      if (!isAccepting) throw new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 });
    },
    wait: async (runId, timeoutMs, signal) => {
      const run = tables.committed().runs.get(runId);
      const outcome = run?.earlyResponse ?? run?.outcome ?? (await waitIn(waiters, { runId, timeoutMs, signal }));
      return outcome as Outcome;
    },
    ...takingRuns(tables, options),
  };
}

function writesIn(
  { tables: { runs }, afterCommit }: MemoryTx<RunTables>,
  options: MemoryRunsOptions,
  waiters: Waiters,
): RunWrites {
  const change = (runId: string, change: (open: RunRow) => Partial<RunRow>): void => {
    const run = runs.get(runId);
    if (run?.outcome === null) runs.set(runId, { ...run, ...change(run) });
  };
  const settle = (runId: string, outcome: SagaOutcome): void =>
    afterCommit(() => waiters.get(runId)?.forEach((resolve) => resolve(outcome)));
  return {
    start: (run) => void runs.set(run.id, startedRow(run, options)),
    close: (runId, outcome) =>
      change(runId, () => {
        settle(runId, outcome);
        return { outcome, endedAt: options.clock.now() };
      }),
    respondEarly: (runId, outcome) =>
      change(runId, ({ earlyResponse }) => {
        if (earlyResponse !== null) return {};
        settle(runId, outcome);
        return { earlyResponse: outcome };
      }),
    stopRetries: (runId, retryStoppedReason) => change(runId, () => ({ nextRetryAt: null, retryStoppedReason })),
  };
}

function startedRow(run: NewSagaRun, { clock, retries, deadlines }: MemoryRunsOptions): RunRow {
  return {
    ...run,
    begunAt: clock.now(),
    attempts: 0,
    nextRetryAt: laterBy(clock, retries.firstAfterMs),
    retryStoppedReason: null,
    deadlineAt: deadlines.sagas.includes(run.saga) ? laterBy(clock, deadlines.afterMs) : null,
    earlyResponse: null,
    outcome: null,
    endedAt: null,
  };
}

type Waiting = { readonly runId: SagaRunId; readonly timeoutMs: number; readonly signal: AbortSignal | undefined };

function waitIn(waiters: Waiters, { runId, timeoutMs, signal }: Waiting): Promise<SagaOutcome> {
  const others = waiters.get(runId) ?? new Set();
  waiters.set(runId, others);
  return new Promise<SagaOutcome>((resolve, reject) => {
    const timer = setTimeout(() => reject(new AppError('PROVIDER_TIMEOUT', { sagaRunId: runId })), timeoutMs);
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
    others.add((outcome) => {
      clearTimeout(timer);
      resolve(outcome);
    });
  });
}

type TakingRuns = Pick<
  Runs,
  'stalledRuns' | 'find' | 'takeDue' | 'takeOverdue' | 'nextDueInMs' | 'nextOverdueInMs' | 'restartRetries'
>;

function takingRuns({ committed, inTransaction }: MemoryTables<RunTables>, options: MemoryRunsOptions): TakingRuns {
  const { clock, retries, deadlines } = options;
  const take = (dueAt: (run: RunRow) => Instant | null, limitMax: number, next: (run: RunRow) => Partial<RunRow>) =>
    inTransaction(({ tables: { runs } }) => {
      const due = [...runs.values()]
        .filter((run) => run.outcome === null && (dueAt(run) ?? '~') <= clock.now())
        .toSorted(by((run) => dueAt(run) ?? ''))
        .slice(0, limitMax)
        .map((run) => ({ ...run, ...next(run) }));
      for (const run of due) runs.set(run.id, run);
      return due.map(toSagaRun);
    });
  const firstInMs = (dueAt: (run: RunRow) => Instant | null): Promise<number | undefined> => {
    const open = [...committed().runs.values()].filter(({ outcome }) => outcome === null);
    const dueTimes = open.flatMap((run) => dueAt(run) ?? []).map((at) => toEpochMs(at) - clock.epochMs());
    return Promise.resolve(dueTimes.length === 0 ? undefined : Math.min(...dueTimes));
  };
  return {
    nextDueInMs: () => firstInMs(({ nextRetryAt }) => nextRetryAt),
    nextOverdueInMs: () => firstInMs(({ deadlineAt }) => deadlineAt),
    stalledRuns: async (olderThanMs, limitMax, filter = {}) =>
      [...committed().runs.values()]
        .filter(({ outcome, begunAt }) => outcome === null && toEpochMs(begunAt) < clock.epochMs() - olderThanMs)
        .map((run) => toJudgedRun(run, options))
        .filter((run) => isWanted(run, filter))
        .toSorted(by(placeOf))
        .slice(0, limitMax),
    find: async (runId) => {
      const run = committed().runs.get(runId);
      return run === undefined ? undefined : toJudgedRun(run, options);
    },
    takeDue: (limitMax) =>
      take(
        ({ nextRetryAt }) => nextRetryAt,
        limitMax,
        ({ attempts }) => ({
          attempts: attempts + 1,
          nextRetryAt: laterBy(clock, backoffMs(attempts + 1, retries.firstAfterMs, retries.afterMsMax)),
        }),
      ),
    takeOverdue: (limitMax) =>
      take(
        ({ deadlineAt }) => deadlineAt,
        limitMax,
        () => ({ deadlineAt: laterBy(clock, deadlines.afterMs) }),
      ),
    restartRetries: (runId) =>
      inTransaction(({ tables: { runs } }) => {
        const run = runs.get(runId);
        if (run?.outcome !== null) return undefined;
        const nextRetryAt = laterBy(clock, retries.firstAfterMs);
        const restarted = { ...run, attempts: 0, nextRetryAt, retryStoppedReason: null };
        runs.set(runId, restarted);
        return toSagaRun(restarted);
      }),
  };
}

/** The delay after so many attempts: the first one, doubled with each attempt, up to the longest one. */
export function backoffMs(attempts: number, firstMs: number, maxMs: number): number {
  return Math.min(firstMs * 2 ** attempts, maxMs);
}

function laterBy(clock: Clock, ms: number): Instant {
  return toInstant(clock.epochMs() + ms);
}

function by<Row>(keyOf: (row: Row) => string): (one: Row, other: Row) => number {
  return (one, other) => (keyOf(one) < keyOf(other) ? -1 : 1);
}

function toSagaRun({
  deadlineAt: _deadlineAt,
  earlyResponse: _early,
  outcome: _outcome,
  endedAt: _ended,
  ...run
}: RunRow): SagaRun {
  return run;
}

function toJudgedRun(run: RunRow, options: MemoryRunsOptions): JudgedRun {
  return { ...toSagaRun(run), endedAt: run.endedAt, state: stateOf(run, options) };
}

function stateOf(
  { outcome, retryStoppedReason, deadlineAt, begunAt, attempts }: RunRow,
  of: MemoryRunsOptions,
): JudgedRun['state'] {
  if (outcome !== null) return outcome.status === 'succeeded' ? 'SUCCEEDED' : 'FAILED';
  if (retryStoppedReason !== null) return 'CONTRADICTED';
  if (deadlineAt !== null && toEpochMs(begunAt) < of.clock.epochMs() - of.deadlines.afterMs) return 'OVERDUE';
  return attempts > 0 ? 'RETRYING' : 'RUNNING';
}

function placeOf({ begunAt, id }: Pick<SagaRun, 'begunAt' | 'id'>): string {
  return `${begunAt} ${id}`;
}

function isWanted(run: JudgedRun, { state, saga, aggregateId, after }: RunFilter): boolean {
  const wanted = { state, saga, aggregateId };
  const isEqual = ([field, value]: [string, unknown]): boolean => value === undefined || Reflect.get(run, field) === value;
  return Object.entries(wanted).every(isEqual) && (after === undefined || placeOf(run) > placeOf(after));
}
