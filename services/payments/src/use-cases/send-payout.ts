import type { Intent, RunResult } from '@holdfast/intents';
import { isId } from '@holdfast/kernel/ids';
import { applyChange } from '@holdfast/sagas';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import { applyPayoutUpdate, applyToLocked } from './apply-payout-update.js';
import { cancelPayout } from './cancel-payout.js';
import { executePayout, type PayoutResult } from './execute-payout.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import type { NewPayout, ProviderRefused } from './provider-ports.js';
import { unpaidChange } from './withdrawal-changes.js';

type Sending = { readonly withdrawal: Withdrawal; readonly intent: Intent; readonly signal: AbortSignal };

/**
 * Sends a committed withdrawal through the payment provider. While an outcome is unknown the intent stays open and is retried; the
 * amount is released only if the provider has refused the payout, or says that it has failed or was canceled.
 */
export async function sendPayout(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  const { subject, marketplaceId } = intent;
  const withdrawal = isId(subject, 'wd') ? await deps.withdrawals.find(marketplaceId, subject) : undefined;
  if (withdrawal === undefined) throw new Error(`There is no withdrawal ${subject}.`);
  const sending = { withdrawal, intent, signal };
  // An event or a poll may have been faster.
  const result = withdrawal.outcome === null ? await executeOrCancel(deps, sending) : undefined;
  await closeIntent(deps, sending, result);
  return 'closed';
}

/** A cancellation that was requested after the run has begun reaches the next run, if there is one. */
function executeOrCancel(deps: Deps, sending: Sending): Promise<PayoutResult> {
  const { withdrawal, signal } = sending;
  if (withdrawal.cancelRequest === null) return execute(deps, sending);
  const { id: code, providerPayoutId, marketplaceId } = withdrawal;
  return cancelPayout(deps, { code, providerPayoutId }, { marketplaceId, signal });
}

/** The id of the payout is stored before it is committed, so that its events find the withdrawal. */
async function execute(deps: Deps, sending: Sending): Promise<PayoutResult> {
  const { withdrawal, intent, signal } = sending;
  return executePayout(deps, {
    payout: await payoutOf(deps, withdrawal),
    lease: intent,
    isFirstAttempt: intent.isFresh,
    assertAllowed: () => deps.holds.assertNone(withdrawal.marketplaceId, withdrawal.userId),
    onCreated: (created) => applyPayoutUpdate(deps, created, contextOf(deps, sending)),
    call: { marketplaceId: withdrawal.marketplaceId, signal },
  });
}

async function payoutOf(deps: Deps, withdrawal: Withdrawal): Promise<NewPayout> {
  const { id, marketplaceId, userId, amount, description, destinationType, destinationRef } = withdrawal;
  const account = await deps.accounts.find(marketplaceId, userId);
  if (account === undefined) throw new Error(`The user ${userId} has no payment account.`);
  const internalNote = destinationType === 'bank' ? destinationRef : null;
  return { code: id, email: account.email, amount, notes: notesOf(description), internalNote };
}

const notesDefault = 'Withdrawal';
/** The payment provider accepts shorter texts than we do. */
const notesLengthMax = 250;

function notesOf(description: string | null): string {
  const notes = Array.from((description ?? '').trim())
    .slice(0, notesLengthMax)
    .join('');
  return notes === '' ? notesDefault : notes;
}

/** The outcome, what follows from it, and the end of the intent are one commit. */
async function closeIntent(deps: Deps, sending: Sending, result: PayoutResult | undefined): Promise<void> {
  const { withdrawal, intent } = sending;
  const ctx = contextOf(deps, sending);
  await deps.inTransaction(async (tx) => {
    const locked = await tx.withdrawals.lock(withdrawal.id);
    if (locked !== undefined && result !== undefined) {
      if ('refusal' in result) fail(tx, locked, result.refusal, ctx);
      else await applyToLocked(tx, locked, result, ctx);
    }
    await tx.intents.close(intent, ctx.at);
  });
}

function fail(tx: UnitOfWork, withdrawal: Withdrawal, refusal: ProviderRefused, ctx: ReturnType<typeof contextOf>): void {
  if (withdrawal.outcome !== null) return;
  const { code: errorCode, message: reason } = refusal;
  const change = unpaidChange(withdrawal, { reason, errorCode });
  applyChange(tx, withdrawalKind, withdrawal, { change, origin: originOfProvider(ctx.at, ctx.requestId) });
  ctx.log.warn({ withdrawalId: withdrawal.id, errorCode, reason }, 'payout refused by the payment provider');
}

function contextOf({ clock, log }: Deps, { intent }: Sending) {
  return { requestId: intent.correlationId, at: clock.now(), log };
}
