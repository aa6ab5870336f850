import {
  withdrawalCanceled,
  withdrawalCommitted,
  withdrawalCompleted,
  withdrawalCreated,
  withdrawalFailed,
  withdrawalPending,
  withdrawalPendingUserAction,
} from '@holdfast/contracts/messages';
import { formatMoney, type Money } from '@holdfast/kernel/money';
import type { Instant } from '@holdfast/kernel/context';
import { event, type Event } from '@holdfast/sagas';
import type { Withdrawal, WithdrawalOutcome } from '../domain/withdrawal.js';
import { fundsOf } from './aggregate-kinds.js';

export function createdEvent(withdrawal: Withdrawal): Event<'withdrawal.created'> {
  const { destinationType, destinationRef } = withdrawal;
  return event(withdrawalCreated, { ...fundsOf(withdrawal), destinationType, destinationRef });
}

export function committedEvent(withdrawal: Withdrawal, available: Money): Event<'withdrawal.committed'> {
  return event(withdrawalCommitted, {
    ...fundsOf(withdrawal),
    committedBalance: formatMoney(withdrawal.amount),
    availableBalance: formatMoney(available),
  });
}

export function pendingEvent(withdrawal: Withdrawal, providerPayoutId: string): Event<'withdrawal.pending'> {
  return event(withdrawalPending, { ...amountOf(withdrawal), providerPayoutId });
}

export function awaitsUserEvent(
  { id, userId }: Withdrawal,
  actionRequired: string,
  actionUrl: string | undefined,
): Event<'withdrawal.pending_user_action'> {
  const url = actionUrl === undefined ? {} : { actionUrl };
  return event(withdrawalPendingUserAction, { withdrawalId: id, userId, actionRequired, ...url });
}

export function completedEvent(withdrawal: Withdrawal, completedAt: Instant): Event<'withdrawal.completed'> {
  return event(withdrawalCompleted, { ...fundsOf(withdrawal), completedAt, ...payoutOf(withdrawal) });
}

type Failure = Extract<WithdrawalOutcome, { readonly move: 'fail' }>;

export function failedEvent(withdrawal: Withdrawal, { reason, errorCode }: Failure): Event<'withdrawal.failed'> {
  const code = errorCode === null ? {} : { errorCode };
  return event(withdrawalFailed, { ...amountOf(withdrawal), reason, ...code, ...payoutOf(withdrawal) });
}

type Cancellation = Extract<WithdrawalOutcome, { readonly move: 'cancel' }>;

export function canceledEvent(
  withdrawal: Withdrawal,
  { canceledBy, reason }: Cancellation,
  newAvailableBalance: string,
): Event<'withdrawal.canceled'> {
  const given = reason === null ? {} : { reason };
  return event(withdrawalCanceled, {
    ...amountOf(withdrawal),
    canceledBy,
    ...given,
    refundedToBalance: true,
    newAvailableBalance,
  });
}

function amountOf(withdrawal: Withdrawal) {
  const { currency: _currency, ...funds } = fundsOf(withdrawal);
  return funds;
}

function payoutOf({ providerPayoutId }: Withdrawal): { readonly providerPayoutId?: string } {
  return providerPayoutId === null ? {} : { providerPayoutId };
}
