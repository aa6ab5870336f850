import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, WithdrawalId } from '@holdfast/kernel/ids';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps, UnitOfWork } from './ports.js';

type Wanted = { readonly marketplaceId: MarketplaceId; readonly id: WithdrawalId };

/** WITHDRAWAL_NOT_FOUND if the marketplace has no such withdrawal, or its amount is not reserved yet. */
export async function requireWithdrawal(deps: Pick<Deps, 'withdrawals'>, { marketplaceId, id }: Wanted): Promise<Withdrawal> {
  return orNotFound(await deps.withdrawals.find(marketplaceId, id), id);
}

/** Like `requireWithdrawal`, with the row locked. */
export async function lockVisibleWithdrawal(tx: UnitOfWork, { marketplaceId, id }: Wanted): Promise<Withdrawal> {
  const locked = await tx.withdrawals.lock(id);
  const isVisible = locked?.marketplaceId === marketplaceId && locked.reservedAt !== null;
  return orNotFound(isVisible ? locked : undefined, id);
}

/** Like `lockVisibleWithdrawal`. INVALID_STATE while a saga run acts on it. */
export async function lockIdleWithdrawal(tx: UnitOfWork, wanted: Wanted): Promise<Withdrawal> {
  return requireIdle(await lockVisibleWithdrawal(tx, wanted));
}

export function requireIdle(withdrawal: Withdrawal): Withdrawal {
  const { status, activeRun } = withdrawal;
  if (activeRun !== null) throw new AppError('INVALID_STATE', { currentStatus: status, operation: activeRun.saga });
  return withdrawal;
}

function orNotFound(withdrawal: Withdrawal | undefined, id: WithdrawalId): Withdrawal {
  if (withdrawal === undefined) throw new AppError('WITHDRAWAL_NOT_FOUND', { withdrawalId: id });
  return withdrawal;
}
