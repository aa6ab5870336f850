import { handleAllDue } from '@holdfast/kernel/async';
import type { Instant, Log } from '@holdfast/kernel/context';
import { isId } from '@holdfast/kernel/ids';
import type { Aggregate } from '../domain/aggregate.js';
import { caseKind, topupKind, withdrawalKind } from './aggregate-kinds.js';
import { publishCommand, type AggregateKind } from './apply-change.js';
import type { Deps, OpenRun, UnitOfWork } from './ports.js';

/**
 * Resends the command of an active run with the same message id. A service that has handled it already publishes its stored reply
 * again.
 */
export function resendCommand(deps: Deps, run: OpenRun, at: Instant): Promise<boolean> {
  const { aggregateId: id } = run;
  return deps.inTransaction(async (tx) => {
    if (isId(id, 'topup')) return resend(tx, topupKind, await tx.topups.lock(id), { run, at });
    if (isId(id, 'wd')) return resend(tx, withdrawalKind, await tx.withdrawals.lock(id), { run, at });
    if (isId(id, 'rcc')) return resend(tx, caseKind, await tx.cases.lock(id), { run, at });
    return false;
  });
}

function resend<A extends Aggregate>(
  tx: UnitOfWork,
  kind: AggregateKind<A>,
  aggregate: A | undefined,
  { run, at }: { readonly run: OpenRun; readonly at: Instant },
): boolean {
  if (aggregate?.activeRun?.runId !== run.id) return false;
  return publishCommand(tx, kind, aggregate, { actor: aggregate.activeRun.actor, at, correlationId: run.correlationId });
}

export type ResendOptions = { readonly at: Instant; readonly log: Log; readonly signal: AbortSignal };

const batchRunsMax = 100;

/** Resends the commands of all runs whose retry is due, in batches. A run that cannot end is due less and less often. */
export async function resendDueCommands(deps: Deps, { at, log, signal }: ResendOptions): Promise<void> {
  await handleAllDue({
    take: deps.runs.takeDue,
    handle: (run) => resendDue(deps, run, at, log),
    batchMax: batchRunsMax,
    signal,
  });
}

async function resendDue(deps: Deps, run: OpenRun, at: Instant, log: Log): Promise<void> {
  const { id: sagaRunId, aggregateId, saga, begunAt, attempts } = run;
  const about = { aggregateId, saga, sagaRunId, begunAt, attempts };
  try {
    if (await resendCommand(deps, run, at)) log.warn(about, 'stalled saga: command resent');
  } catch (error) {
    log.warn({ ...about, error }, 'stalled saga: its command could not be resent');
  }
}
