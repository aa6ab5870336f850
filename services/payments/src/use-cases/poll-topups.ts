import { handleAllDue } from '@holdfast/kernel/async';
import type { Context, Log } from '@holdfast/kernel/context';
import { canMove } from '@holdfast/kernel/states';
import { cancellationOf, type Topup } from '../domain/topup.js';
import { topupMoves } from '../domain/topup-states.js';
import type { Deps } from './ports.js';
import { learnStatus } from './refresh-topup.js';
import { requestTopupCancellation } from './request-topup-cancellation.js';

export type PollOptions = { readonly log: Log; readonly signal: AbortSignal };

const batchTopupsMax = 20;

/** Reads the status of all due top-ups from the provider, so that nothing depends on its webhooks. */
export async function pollTopups(deps: Deps, { log, signal }: PollOptions): Promise<void> {
  // The statuses of a batch are read concurrently; what has expired is canceled in the order in which it did.
  let before: Promise<unknown> = Promise.resolve();
  await handleAllDue({
    take: async (limitMax) => (await deps.topups.takeDue(limitMax)).toSorted(byExpiry),
    handle: (topup) => (before = poll(deps, topup, { before, log })),
    batchMax: batchTopupsMax,
    signal,
  });
}

function byExpiry(one: Topup, other: Topup): number {
  return one.expiresAt < other.expiresAt ? -1 : 1;
}

type Turn = { readonly before: Promise<unknown>; readonly log: Log };

/** A top-up whose poll failed is polled again later. */
async function poll(deps: Deps, topup: Topup, { before, log }: Turn): Promise<void> {
  const ctx = { requestId: `poll-${topup.id}`, at: deps.clock.now(), log };
  try {
    await learnStatus(deps, topup, ctx);
    await before;
    await cancelIfExpired(deps, topup, ctx);
  } catch (error) {
    log.warn({ topupId: topup.id, error }, 'the status of a top-up could not be polled');
  }
}

/** The status was read just before, so a payment in the last moment is not canceled. */
async function cancelIfExpired(
  deps: Deps,
  { id, marketplaceId, expiresAt }: Topup,
  ctx: Pick<Context, 'requestId' | 'at'>,
): Promise<void> {
  const now = await deps.testClocks.timeAt(marketplaceId, deps.clock.now());
  if (now < expiresAt) return;
  await deps.inTransaction(async (tx) => {
    const topup = await tx.topups.lock(id);
    const cancellation = topup === undefined ? undefined : cancellationOf(topup, now);
    if (topup === undefined || cancellation === undefined || !canMove(topupMoves, 'cancel', topup.status)) return;
    await requestTopupCancellation(tx, topup, cancellation, ctx);
  });
}
