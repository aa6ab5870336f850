import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import { money, type Money } from '@holdfast/kernel/money';
import type { BookChanges } from '../domain/book-changes.js';
import { assetOf } from '../domain/custody.js';
import { userLookup } from './user-lookup.js';
import { compareWallet } from './compare-wallet.js';
import { creditOfDeposit } from './credit-of-deposit.js';
import { creditOfTopup } from './credit-of-topup.js';
import { getBalance } from './get-balance.js';
import { adjustmentFact, auditOf } from './audit.js';
import type { Balance, CausedCredit, Deps, Posting, WantedBalance } from './ports.js';

export type SyncResult = {
  readonly previous: Balance;
  readonly current: Balance;
  /** The sum of the credits in the currency of the balance. */
  readonly adjustmentUnits: bigint;
  /** Whether something was credited, or the wallet still differs from the journal. */
  readonly isDifferent: boolean;
};

/**
 * Refreshes open top-ups and withdrawals, credits deposits that were missed, then compares the wallet with the journal. A difference
 * that deposits do not explain is published and never changes a balance.
 */
export async function syncBalance(deps: Deps, input: WantedBalance, ctx: Context): Promise<SyncResult> {
  const { userId, currency } = input;
  const previous = await getBalance(deps, input, ctx);
  const user = userLookup(ctx, userId);
  const [deposits, topups] = await asProviderTimeout(() =>
    Promise.all([deps.wallets.syncDeposits(user), deps.payments.refreshUser(user)]),
  );
  const credits = [
    ...deposits.map(({ units, ...deposit }) => creditOfDeposit({ ...deposit, userId, amount: money(units, deposit.currency) })),
    ...topups.map((topup) => creditOfTopup({ ...topup, userId })),
  ];
  const booked: Money[] = [];
  for (const credit of credits) if (await book(deps, credit, ctx)) booked.push(credit.instruction.amount);
  const adjustmentUnits = booked.filter((amount) => amount.currency === currency).reduce((sum, { units }) => sum + units, 0n);
  const difference = await asProviderTimeout(() => compareWallet(deps, user, assetOf(currency)));
  if (difference?.isSettled === true) await deps.wallets.publishDifference(userId, difference, ctx);
  const current = await getBalance(deps, input, ctx);
  return { previous, current, adjustmentUnits, isDifferent: adjustmentUnits > 0n || difference !== undefined };
}

/**
 * The message about the same deposit or top-up arrives too, before or after. Both have the same cause, so the first one credits it.
 * Returns whether it was credited since the request began. The audit entry is in the commit of the credit, or in one of its own if
 * the message came first.
 */
async function book(deps: Deps, credit: CausedCredit, ctx: Context): Promise<boolean> {
  const { caller, requestId } = ctx;
  const entriesOf = auditOf(credit, ctx);
  const audited: BookChanges[] = [];
  const audit: Posting['audit'] = (changes) => {
    audited.push(changes);
    return entriesOf(changes);
  };
  const posted = await deps.post({ ...credit, marketplaceId: caller.marketplaceId, requestId, audit });
  const isNew = posted.at >= ctx.at;
  if (isNew && audited.length === 0) {
    const { cause, instruction } = credit;
    const fact = adjustmentFact(credit, posted, ctx);
    await deps.publishAdjustment({ cause, postedAt: posted.at, userId: instruction.userId, fact }, ctx);
  }
  return isNew;
}

async function asProviderTimeout<T>(call: () => Promise<T>): Promise<T> {
  return call().catch((cause: unknown) => {
    if (!isAppError(cause, 'SERVICE_UNAVAILABLE')) throw cause;
    throw new AppError('PROVIDER_TIMEOUT', {}, { cause });
  });
}
