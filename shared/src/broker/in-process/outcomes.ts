import type { PoolClient } from 'pg';
import { toInstant, type Clock, type Log } from '../../context/index.js';
import type { Verdict } from '../failure.js';
import type { Ownership } from './ownership.js';
import { deleteHandled, parkFailed, postponeFailed } from './statements.js';

/** What became of a delivery. */
export type Outcome = {
  readonly queue: string;
  readonly messageId: string;
  readonly verdict: Verdict | { readonly kind: 'handled' };
};

export type Outcomes = {
  /** Writes it soon, together with others, and keeps it until that has worked, however often the database goes away. */
  readonly add: (outcome: Outcome) => void;
  /** Takes up what could not be written. */
  readonly resume: () => void;
  /** Resolves when nothing is left to write. */
  readonly settled: () => Promise<void>;
};

export type OutcomesOptions = {
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly log: Log;
  readonly onWritten: (outcomes: readonly Outcome[]) => void;
};

const batchMax = 1_000;

type State = {
  readonly options: OutcomesOptions;
  waiting: Outcome[];
  turn: NodeJS.Immediate | undefined;
  isWriting: boolean;
  onSettled: (() => void)[];
};

/** One writer at a time: while it waits for the database the next batch gathers. */
export function createOutcomes(options: OutcomesOptions): Outcomes {
  const state: State = { options, waiting: [], turn: undefined, isWriting: false, onSettled: [] };
  return {
    add: (outcome) => {
      state.waiting.push(outcome);
      schedule(state);
    },
    resume: () => schedule(state),
    settled: () =>
      new Promise((resolve) => {
        if (state.waiting.length === 0 && !state.isWriting) resolve();
        else state.onSettled.push(resolve);
      }),
  };
}

function schedule(state: State): void {
  if (state.isWriting || state.waiting.length === 0) return;
  state.turn ??= setImmediate(() => {
    state.turn = undefined;
    writeBatch(state).catch((error: unknown) =>
      state.options.log.error({ err: error }, 'outcomes of messages could not be noted'),
    );
  });
}

/** Without ownership it waits: `resume` is called when it is back. */
async function writeBatch(state: State): Promise<void> {
  const { ownership } = state.options;
  const session = ownership.session();
  if (session === undefined || state.isWriting) return;
  const batch = state.waiting.splice(0, batchMax);
  state.isWriting = true;
  try {
    await ownership.inTurn(() => write(session, batch, state.options.clock));
  } catch (error) {
    state.waiting.unshift(...batch);
    ownership.giveUp(session, error);
    return;
  } finally {
    state.isWriting = false;
  }
  state.options.onWritten(batch);
  if (state.waiting.length > 0) schedule(state);
  else for (const resolve of state.onSettled.splice(0)) resolve();
}

/** Each statement commits by itself. Repeating one that was cut off changes nothing. */
async function write(session: PoolClient, batch: readonly Outcome[], clock: Clock): Promise<void> {
  const queues = (part: readonly Outcome[]): readonly string[] => part.map(({ queue }) => queue);
  const ids = (part: readonly Outcome[]): readonly string[] => part.map(({ messageId }) => messageId);
  const handled = batch.filter(({ verdict }) => verdict.kind === 'handled');
  if (handled.length > 0) await session.query(deleteHandled, [queues(handled), ids(handled)]);
  const failed = batch.flatMap(({ verdict, ...rest }) => (verdict.kind === 'retry' ? [{ ...rest, verdict }] : []));
  if (failed.length > 0) {
    const attempts = failed.map(({ verdict }) => verdict.attempts);
    const availableAt = failed.map(({ verdict }) => toInstant(clock.epochMs() + verdict.delayMs));
    await session.query(postponeFailed, [queues(failed), ids(failed), attempts, availableAt]);
  }
  const parked = batch.flatMap(({ verdict, ...rest }) => (verdict.kind === 'park' ? [{ ...rest, verdict }] : []));
  if (parked.length > 0) {
    const attempts = parked.map(({ verdict }) => verdict.attempts);
    const reasons = parked.map(({ verdict }) => verdict.reason);
    await session.query(parkFailed, [queues(parked), ids(parked), attempts, reasons, clock.now()]);
  }
}
