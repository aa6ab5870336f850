import type { Context } from '@holdfast/kernel/context';
import { AppError, isAppError } from '@holdfast/kernel/errors';
import type { UserId } from '@holdfast/kernel/ids';
import { money } from '@holdfast/kernel/money';
import { assetOf } from '../domain/custody.js';
import { userLookup } from './user-lookup.js';
import { compareWallet } from './compare-wallet.js';
import { creditOfDeposit } from './credit-of-deposit.js';
import { getBalance } from './get-balance.js';
import { auditOf } from './audit.js';
import type { Balance, Deps, NewDeposit, WantedBalance } from './ports.js';

export type SyncResult = {
  readonly previous: Balance;
  readonly current: Balance;
  /** The sum of the credits in the currency of the balance. */
  readonly adjustmentUnits: bigint;
  /** Whether a deposit was missing, or the wallet still differs from the journal. */
  readonly isDifferent: boolean;
};

/**
 * Refreshes open top-ups and withdrawals, credits deposits that were missed, then compares the wallet with the journal. A difference
 * that deposits do not explain is published and never changes a balance.
 */
export async function syncBalance(deps: Deps, input: WantedBalance, ctx: Context): Promise<SyncResult> {
  const previous = await getBalance(deps, input, ctx);
  const user = userLookup(ctx, input.userId);
  const [deposits] = await asProviderTimeout(() =>
    Promise.all([deps.wallets.syncDeposits(user), deps.payments.refreshUser(user)]),
  );
  const booked: NewDeposit[] = [];
  for (const deposit of deposits) if (await credit(deps, input.userId, deposit, ctx)) booked.push(deposit);
  const difference = await asProviderTimeout(() => compareWallet(deps, user, assetOf(input.currency)));
  if (difference?.isSettled === true) await deps.wallets.publishDifference(input.userId, difference, ctx);
  const adjustmentUnits = booked
    .filter((deposit) => deposit.currency === input.currency)
    .reduce((sum, deposit) => sum + deposit.units, 0n);
  const current = await getBalance(deps, input, ctx);
  return { previous, current, adjustmentUnits, isDifferent: adjustmentUnits > 0n || difference !== undefined };
}

/**
 * The message about the same deposit arrives too, before or after. Both have the same cause, so the first one credits it. Returns
 * whether it was credited since the request began.
 */
async function credit(deps: Deps, userId: UserId, deposit: NewDeposit, ctx: Context): Promise<boolean> {
  const { currency, units, operationId } = deposit;
  const posting = creditOfDeposit({ userId, amount: money(units, currency), operationId });
  const { caller, requestId } = ctx;
  const { at } = await deps.post({ ...posting, marketplaceId: caller.marketplaceId, requestId, audit: auditOf(posting, ctx) });
  return at >= ctx.at;
}

async function asProviderTimeout<T>(call: () => Promise<T>): Promise<T> {
  return call().catch((cause: unknown) => {
    if (!isAppError(cause, 'SERVICE_UNAVAILABLE')) throw cause;
    throw new AppError('PROVIDER_TIMEOUT', {}, { cause });
  });
}
