import type { Context, Instant } from '@holdfast/kernel/context';
import type { SagaRunId } from '@holdfast/kernel/ids';
import { inactiveParty } from '../domain/parties.js';
import type { HeldReason, Timer } from '../domain/timers.js';
import type { Deps, LockedOrder, UnitOfWork } from './ports.js';
import type { ClaimedTimer } from './timer-ports.js';
import { startRequested, type SagaStart } from './start-saga.js';

/** A due timer, on the locked order that wants it. */
export type Firing = {
  readonly deps: Deps;
  readonly tx: UnitOfWork;
  readonly locked: LockedOrder;
  readonly timer: Timer;
  readonly claimed: ClaimedTimer;
  /** Until when no timer pays out, because the platform was away. */
  readonly graceUntil: Instant | null;
  /** The time of the marketplace. */
  readonly now: Instant;
  /** The run of the saga that the timer may start. */
  readonly runId: SagaRunId;
  readonly ctx: Context;
};

/** Undefined if the timer may pay out now. */
export function heldReasonOf({ deps, locked, graceUntil, ctx }: Firing): HeldReason | undefined {
  if (locked.isStopped || deps.isStoppedBySetting) return 'EMERGENCY_STOP';
  if (inactiveParty(locked.parties) !== undefined) return 'SUSPENDED_PARTY';
  return graceUntil !== null && ctx.at < graceUntil ? 'OUTAGE' : undefined;
}

/** Holds the timer if it may not pay out now. It is looked at again with the back-off, or when its reason ends. */
export function isHeld(firing: Firing): boolean {
  const heldReason = heldReasonOf(firing);
  if (heldReason === undefined) return false;
  const { tx, claimed, graceUntil } = firing;
  tx.timers.hold({ id: claimed.id, heldReason, dueAt: (heldReason === 'OUTAGE' ? graceUntil : null) ?? claimed.retryAt });
  return true;
}

/** Starts the saga without waiting for it. If it fails for a passing reason, the timer is still wanted and tries again. */
export function startFromTimer({ deps, tx, locked, runId, ctx }: Firing, start: SagaStart): void {
  startRequested(deps, tx, { runId, locked, start }, ctx);
}
