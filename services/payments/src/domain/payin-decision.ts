import type { Money } from '@holdfast/kernel/money';
import type { PayinUpdate } from './provider-updates.js';
import { isFinal, type Topup } from './topup.js';

/**
 * What an update of the payment provider means for a top-up. `none`: nothing new. `contradiction`: the update does not fit to the
 * state, and is only logged. `case`: the money cannot
 * be credited, and becomes a reconciliation case.
 */
export type PayinDecision =
  { readonly does: 'none' | 'contradiction' | 'await' | 'process' | 'credit' | 'fail' | 'cancel' } | PayinCase;

export type PayinCase = {
  readonly does: 'case';
  readonly kind: 'late_money' | 'amount_mismatch';
  readonly payinId: string;
  readonly amount: Money;
  readonly reason: string;
  /** Whether the money was paid for a different pay-in. The top-up then stays as it is. */
  readonly isOtherPayin: boolean;
};

export function decidePayin(topup: Topup, update: PayinUpdate): PayinDecision {
  switch (update.outcome) {
    case 'open':
      return { does: isCreation(topup, update) ? 'await' : 'none' };
    case 'processing':
      return {
        does: topup.status === 'TOPUP_CREATED' || topup.status === 'TOPUP_AWAITING_USER_CONFIRMATION' ? 'process' : 'none',
      };
    case 'succeeded':
      return decideSuccess(topup, update);
    case 'failed':
    case 'canceled':
      return decideEnd(topup, update);
  }
}

/** An event that names neither the pay-in nor its confirmation page is not enough; the response to the creation has both. */
function isCreation({ id, status }: Topup, { providerId, confirmationUri }: PayinUpdate): boolean {
  return status === 'TOPUP_CREATED' && confirmationUri !== undefined && providerId !== id;
}

/** An event names the amount where the provider sends it. The amount of a pay-in is fixed when it is created. */
function decideSuccess(topup: Topup, update: PayinUpdate): PayinDecision {
  const { status, activeRun, isInCase } = topup;
  if (isOtherPayin(topup, update)) return caseOf(topup, update, 'late_money', 'a second payment was made for the top-up');
  if (status === 'TOPUP_SUCCEEDED' || activeRun !== null || isInCase) return { does: 'none' };
  if (isFinal(topup)) return caseOf(topup, update, 'late_money', `the payment arrived when the top-up was ${status} already`);
  if (update.amount !== undefined && update.amount.units !== topup.amount.units)
    return caseOf(topup, update, 'amount_mismatch', 'another amount than requested was paid');
  return { does: 'credit' };
}

function caseOf(topup: Topup, update: PayinUpdate, kind: PayinCase['kind'], reason: string): PayinCase {
  const isOther = isOtherPayin(topup, update);
  return {
    does: 'case',
    kind,
    payinId: isOther ? update.providerId : (topup.providerPayinId ?? update.providerId),
    amount: update.amount ?? topup.amount,
    reason,
    isOtherPayin: isOther,
  };
}

/** A payment that was received cannot fail any more, and a top-up that has ended does not end again. */
function decideEnd(topup: Topup, update: PayinUpdate): PayinDecision {
  if (isOtherPayin(topup, update) || topup.activeRun !== null || topup.status === 'TOPUP_SUCCEEDED')
    return { does: 'contradiction' };
  if (isFinal(topup)) return { does: 'none' };
  // The provider processes the payment, so the user cannot cancel any more: a cancellation is a failure.
  return { does: update.outcome === 'canceled' && topup.status !== 'TOPUP_PROCESSING' ? 'cancel' : 'fail' };
}

/** Events may name our own id instead of the pay-in's. */
function isOtherPayin({ id, providerPayinId }: Topup, { providerId }: PayinUpdate): boolean {
  return providerPayinId !== null && providerId !== providerPayinId && providerId !== id;
}
