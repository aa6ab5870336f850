import type { Intent, RunResult } from '@holdfast/intents';
import { isId } from '@holdfast/kernel/ids';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import { applyChange } from './apply-change.js';
import { applyPayoutUpdate, applyToLocked } from './apply-payout-update.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import { ProviderRefused } from './provider-ports.js';
import { endingChange } from './withdrawal-changes.js';

type Sending = { readonly withdrawal: Withdrawal; readonly intent: Intent; readonly signal: AbortSignal };

/** What the payment provider has said for good: the status of the payout, or that it refuses to create it. */
type Learned = PayoutUpdate | { readonly refusal: ProviderRefused };

/**
 * Sends a committed withdrawal through the payment provider: creates the payout, then commits it. Nothing moves before the commit.
 * While an outcome is unknown the intent stays open and is retried; the amount is released only if the provider has refused the
 * payout, or says that it has failed or was canceled.
 */
export async function sendPayout(deps: Deps, intent: Intent, signal: AbortSignal): Promise<RunResult> {
  const { subject, marketplaceId } = intent;
  const withdrawal = isId(subject, 'wd') ? await deps.withdrawals.find(marketplaceId, subject) : undefined;
  if (withdrawal === undefined) throw new Error(`There is no withdrawal ${subject}.`);
  const sending = { withdrawal, intent, signal };
  // An event or a poll may have been faster.
  const learned = withdrawal.outcome === null ? await learn(deps, sending) : undefined;
  await closeIntent(deps, sending, learned);
  return 'closed';
}

async function learn(deps: Deps, sending: Sending): Promise<Learned> {
  const payout = await findOrCreate(deps, sending);
  if ('refusal' in payout || payout.outcome !== 'created') return payout;
  await applyPayoutUpdate(deps, payout, contextOf(deps, sending));
  const { amount } = sending.withdrawal;
  if (payout.amount !== undefined && payout.amount.units !== amount.units)
    return callOff(deps, sending, payout, new ProviderRefused(null, 'The payment provider has changed the amount.'));
  return commitPayout(deps, sending, payout);
}

/** A first attempt creates the payout; any other looks it up before, because the outcome of an earlier call may be unknown. */
async function findOrCreate(deps: Deps, { withdrawal, intent, signal }: Sending): Promise<Learned> {
  const earlier = intent.isFresh ? undefined : await deps.provider.findPayoutByCode(withdrawal.id, signal);
  if (earlier !== undefined) return earlier;
  try {
    return await createPayout(deps, withdrawal, signal);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // A refusal may also mean that a payout with this code exists, from an attempt whose response was lost.
    return (await deps.provider.findPayoutByCode(withdrawal.id, signal)) ?? { refusal: error };
  }
}

const notesDefault = 'Withdrawal';
/** The payment provider accepts shorter texts than we do. */
const notesLengthMax = 250;

async function createPayout(deps: Deps, withdrawal: Withdrawal, signal: AbortSignal): Promise<PayoutUpdate> {
  const { id, marketplaceId, userId, amount, description, destinationType, destinationRef } = withdrawal;
  const account = await deps.accounts.find(marketplaceId, userId);
  if (account === undefined) throw new Error(`The user ${userId} has no payment account.`);
  await deps.emergencyStop.assertNotStopped();
  return deps.provider.createPayout(
    {
      code: id,
      email: account.email,
      amount,
      notes: notesOf(description),
      internalNote: destinationType === 'bank' ? destinationRef : null,
    },
    signal,
  );
}

function notesOf(description: string | null): string {
  const notes = Array.from((description ?? '').trim())
    .slice(0, notesLengthMax)
    .join('');
  return notes === '' ? notesDefault : notes;
}

/** After a refused commit the status tells whether an earlier commit has succeeded. */
async function commitPayout(deps: Deps, sending: Sending, payout: PayoutUpdate): Promise<Learned> {
  const { id, amount } = sending.withdrawal;
  await deps.payoutCap.begin(id, amount.units);
  await deps.emergencyStop.assertNotStopped();
  try {
    await deps.provider.commitPayout(payout.providerId, sending.signal);
    return { ...payout, outcome: 'pending' };
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    const current = await requirePayout(deps, sending, payout);
    return current.outcome === 'created' ? callOff(deps, sending, payout, error) : current;
  }
}

/** A payout that must not be sent is canceled at the provider first, so that nobody can commit it after the amount was released. */
async function callOff(deps: Deps, sending: Sending, payout: PayoutUpdate, refusal: ProviderRefused): Promise<PayoutUpdate> {
  await deps.provider.cancelPayout(payout.providerId, sending.signal);
  const current = await requirePayout(deps, sending, payout);
  if (current.outcome === 'created') throw new Error(`The payout ${payout.providerId} is not canceled yet.`);
  return current.outcome === 'canceled' ? { ...current, reason: { code: refusal.code, text: refusal.message } } : current;
}

async function requirePayout(deps: Deps, { signal }: Sending, { providerId }: PayoutUpdate): Promise<PayoutUpdate> {
  const payout = await deps.provider.findPayout(providerId, signal);
  if (payout === undefined) throw new Error(`The payment provider does not find the payout ${providerId}.`);
  return payout;
}

/** The outcome, what follows from it, and the end of the intent are one commit. */
async function closeIntent(deps: Deps, sending: Sending, learned: Learned | undefined): Promise<void> {
  const { withdrawal, intent } = sending;
  const ctx = contextOf(deps, sending);
  await deps.inTransaction(async (tx) => {
    const locked = await tx.withdrawals.lock(withdrawal.id);
    if (locked !== undefined && learned !== undefined) {
      if ('refusal' in learned) fail(tx, locked, learned.refusal, ctx);
      else await applyToLocked(tx, locked, learned, ctx);
    }
    await tx.intents.close(intent, ctx.at);
  });
}

function fail(tx: UnitOfWork, withdrawal: Withdrawal, refusal: ProviderRefused, ctx: ReturnType<typeof contextOf>): void {
  if (withdrawal.outcome !== null) return;
  const { code: errorCode, message: reason } = refusal;
  const change = endingChange(withdrawal, { move: 'fail', reason, errorCode });
  applyChange(tx, withdrawalKind, withdrawal, { change, origin: originOfProvider(ctx.at, ctx.requestId) });
  ctx.log.warn({ withdrawalId: withdrawal.id, errorCode, reason }, 'payout refused by the payment provider');
}

function contextOf({ clock, log }: Deps, { intent }: Sending) {
  return { requestId: intent.correlationId, at: clock.now(), log };
}
