import type { Context, Instant } from '@holdfast/kernel/context';
import { money } from '@holdfast/kernel/money';
import { applyChange, type Change } from '@holdfast/sagas';
import { payoutEffectOf, payoutIdOf } from '../domain/payout-effect.js';
import type { PayoutUpdate } from '../domain/provider-updates.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { withdrawalKind } from './aggregate-kinds.js';
import type { UpdateResult } from './apply-payin-update.js';
import { openUndocumented } from './open-undocumented.js';
import { openCase } from './open-case.js';
import { originOfProvider } from './origin.js';
import type { Deps, UnitOfWork } from './ports.js';
import {
  acceptChange,
  acceptIfCommitted,
  firstPoll,
  inSequence,
  moveWithdrawal,
  paidChange,
  statusChange,
  unpaidChange,
} from './withdrawal-changes.js';
import { awaitsUserEvent } from './withdrawal-events.js';

type UpdateContext = Pick<Context, 'requestId' | 'at' | 'log'>;

/** Applies what was learned about a payout, from whichever source. Learning it again changes nothing. Invalid transitions are logged. */
export async function applyPayoutUpdate(deps: Deps, update: PayoutUpdate, ctx: UpdateContext): Promise<UpdateResult> {
  const found = await deps.withdrawals.findByCodeOrPayout(update.code, update.providerId);
  if (found === undefined) return 'unknown';
  return deps.inTransaction(async (tx) => {
    const withdrawal = await tx.withdrawals.lock(found.id);
    return withdrawal === undefined ? 'unknown' : applyToLocked(tx, withdrawal, update, ctx);
  });
}

/** Applies the update to a withdrawal whose row the transaction has locked. */
export async function applyToLocked(
  tx: UnitOfWork,
  withdrawal: Withdrawal,
  update: PayoutUpdate,
  ctx: UpdateContext,
): Promise<UpdateResult> {
  const effect = payoutEffectOf(withdrawal, update);
  const { id: withdrawalId, status } = withdrawal;
  const about = { withdrawalId, providerPayoutId: update.providerId, status, outcome: update.outcome };
  if (effect === 'contradicted') {
    ctx.log.warn(about, 'ignored an update of a payout: it cannot follow the status of the withdrawal');
    return 'unchanged';
  }
  const isOdd = withdrawal.outcome === null && (await openUndocumented(tx, { payment: withdrawal, update }, ctx));
  if (effect === 'none') return isOdd ? endPolls(tx, withdrawal) : 'unchanged';
  const payoutId = payoutIdOf(withdrawal, update);
  // The source of the update tries again; meanwhile the response that creates the payout names its id.
  if (payoutId === null) throw new Error(`The payout of withdrawal ${withdrawalId} is not known yet.`);
  const ofPayout = { ...update, providerId: payoutId };
  if (effect === 'paid-too-late') {
    ctx.log.error(about, 'payout completed after its amount had been released: a case is opened');
    await openPayoutCase(tx, withdrawal, ofPayout, ctx);
    return 'applied';
  }
  if (effect === 'completed') await openMismatchCase(tx, withdrawal, ofPayout, ctx);
  const change = changeOf(withdrawal, ofPayout, effect, ctx);
  const after = applyChange(tx, withdrawalKind, withdrawal, { change, origin: originOfProvider(ctx.at, ctx.requestId) });
  ctx.log.info({ ...about, effect, to: after.status }, 'payout updated');
  return 'applied';
}

const userActionDefault = 'The payment provider requires an action of the user.';
const failureDefault = 'The payment provider did not complete the payout.';

function changeOf(
  before: Withdrawal,
  update: PayoutUpdate,
  effect: 'known' | 'accepted' | 'awaits-user' | 'completed' | 'failed',
  { at }: UpdateContext,
): Change<Withdrawal> {
  const { providerId } = update;
  switch (effect) {
    case 'known':
      return { after: { ...before, providerPayoutId: providerId }, events: [], auditEntries: [] };
    case 'accepted':
      return acceptChange({ ...before, ...pollOf(update, at) }, providerId);
    case 'awaits-user':
      return awaitUserChange(before, update, at);
    case 'completed':
      return inSequence(acceptIfCommitted(before, providerId), (accepted) => paidChange(accepted, at));
    case 'failed':
      return failChange(before, update);
  }
}

function endPolls(tx: UnitOfWork, withdrawal: Withdrawal): UpdateResult {
  tx.withdrawals.save({ ...withdrawal, nextPollAt: null });
  return 'applied';
}

/** An undocumented status is not polled for. */
function pollOf({ undocumentedStatus }: PayoutUpdate, at: Instant): Pick<Withdrawal, 'nextPollAt' | 'polls'> {
  return undocumentedStatus === undefined ? firstPoll(at) : { nextPollAt: null, polls: 0 };
}

function awaitUserChange(before: Withdrawal, { providerId, reason, actionUrl }: PayoutUpdate, at: Instant): Change<Withdrawal> {
  const after = { ...moveWithdrawal(before, 'awaitUser'), providerPayoutId: providerId, ...firstPoll(at) };
  const action = reason?.text ?? userActionDefault;
  return statusChange(before, after, awaitsUserEvent(after, action, actionUrl), action);
}

function failChange(before: Withdrawal, { providerId, reason }: PayoutUpdate): Change<Withdrawal> {
  const { text, code } = reason ?? { text: failureDefault, code: null };
  return unpaidChange({ ...before, providerPayoutId: providerId }, { reason: text, errorCode: code });
}

/** More or less has left than is deducted from the user. */
async function openMismatchCase(tx: UnitOfWork, withdrawal: Withdrawal, update: PayoutUpdate, ctx: UpdateContext): Promise<void> {
  const { amount } = withdrawal;
  const paidUnits = update.amount?.units ?? amount.units;
  if (paidUnits === amount.units) return;
  await openCase(
    tx,
    {
      ...caseOf(withdrawal, update),
      kind: 'amount_mismatch',
      amount: money(amount.units - paidUnits, amount.currency),
      reason: 'The payment provider has paid out another amount than requested.',
    },
    ctx,
  );
}

/** The amount is available to the user again, and the money has left too. */
function openPayoutCase(tx: UnitOfWork, withdrawal: Withdrawal, update: PayoutUpdate, ctx: UpdateContext): Promise<boolean> {
  const { units, currency } = update.amount ?? withdrawal.amount;
  return openCase(
    tx,
    {
      ...caseOf(withdrawal, update),
      kind: 'unexplained_difference',
      amount: money(-units, currency),
      reason: 'The payout was completed after the withdrawal had ended and its amount had been released.',
    },
    ctx,
  );
}

function caseOf({ id, marketplaceId, userId }: Withdrawal, { providerId }: PayoutUpdate) {
  return { marketplaceId, userId, origin: 'payouts', source: 'payout', sourceId: providerId, relatedId: id } as const;
}
