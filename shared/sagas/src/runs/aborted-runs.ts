import type { Envelope } from '@holdfast/contracts/messages';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { lockKeys, type Tx } from '@holdfast/postgres';
import { recordIfNew } from '@holdfast/messaging/inbox';
import { type Outbox } from '@holdfast/messaging/outbox';

/** The runs that a service has aborted, with the replies that it published: their commands have no effect any more. */
export type AbortedRuns = ReadonlyMap<string, readonly Envelope[]>;

/** The abort command of a run, as the participant of its point of no return handles it. */
export type Abort = {
  readonly consumer: string;
  readonly message: Envelope;
  /** Whether the command of the run was handled before. Then nothing is aborted, and its own reply ends the run. */
  readonly isTaken: (tx: Tx) => Promise<boolean>;
  /** Publishes what the aborted step publishes when it fails. */
  readonly publish: (tx: Tx) => Promise<Envelope>;
};

/**
 * Aborts the run unless its command was handled. A repeated abort publishes its replies again. Returns whether the run is aborted.
 * The caller commits it with whatever the abort changes. See ADR 0045.
 */
export async function abortRun(tx: Tx, outbox: Pick<Outbox, 'republish'>, abort: Abort): Promise<boolean> {
  const { consumer, message, isTaken, publish } = abort;
  const { sagaRunId } = message;
  if (sagaRunId === undefined) throw new Error(`the abort command ${message.id} names no saga run`);
  await recordIfNew(tx, consumer, message.id);
  const earlier = (await findAbortedRuns(tx, [sagaRunId])).get(sagaRunId);
  if (earlier !== undefined) {
    await outbox.republish(tx, earlier);
    return true;
  }
  if (await isTaken(tx)) return false;
  recordAbortedRun(tx, sagaRunId, [await publish(tx)]);
  return true;
}

const selectAbortedRuns = {
  name: 'find-aborted-runs',
  text: `
  select saga_run_id, replies
  from aborted_runs
  where saga_run_id = any($1)`,
};

type AbortedRow = { readonly saga_run_id: string; readonly replies: string };

/**
 * Locks the runs until the commit. The abort and the command both come here first, so either the abort finds the command handled, or
 * the command finds its run aborted. The lock is its own statement, before the one that reads `aborted_runs`: a statement that
 * waits for a lock does not see what was committed meanwhile.
 */
export async function lockRuns(tx: Tx, runIds: readonly string[]): Promise<void> {
  if (runIds.length === 0) return;
  await lockKeys(
    tx,
    runIds.map((runId) => `holdfast:aborted-run:${runId}`),
  );
}

/** Locks the runs, then returns those among them that were aborted. */
export async function findAbortedRuns(tx: Tx, runIds: readonly string[]): Promise<AbortedRuns> {
  if (runIds.length === 0) return new Map();
  const [, rows] = await Promise.all([lockRuns(tx, runIds), tx.query<AbortedRow>(selectAbortedRuns, [runIds])]);
  return new Map(rows.map((row) => [row.saga_run_id, JSON.parse(row.replies) as readonly Envelope[]]));
}

const insertAbortedRun = {
  name: 'insert-aborted-run',
  text: `
  insert into aborted_runs (saga_run_id, replies)
  values ($1, $2)
  on conflict do nothing`,
};

/** For a compensation of a step that never ran: the late command of the step must have no effect. */
export function recordAbortedRun(tx: Tx, sagaRunId: SagaRunId, replies: readonly Envelope[]): void {
  tx.defer(insertAbortedRun, [sagaRunId, JSON.stringify(replies)]);
}
