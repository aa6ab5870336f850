import {
  caseOpened,
  caseResolutionRequested,
  topupPaymentReceived,
  withdrawalCalledOff,
  withdrawalHoldRequested,
  withdrawalLedgerPayoutRequested,
  withdrawalPaidOut,
} from '@holdfast/contracts/messages';
import { formatMoney } from '@holdfast/kernel/money';
import type { Case } from '../domain/case.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import { event, type AggregateKind, type Event } from './apply-change.js';

export const topupKind: AggregateKind<Topup> = {
  save: (tx, topup) => tx.topups.save(topup),
  audited: ({ userId }) => ({ resourceType: 'TopUp', relatedIds: [userId] }),
  commandOf: ({ id, userId, amount }) =>
    event(topupPaymentReceived, { topupId: id, userId, amount: formatMoney(amount), currency: amount.currency }),
};

export const withdrawalKind: AggregateKind<Withdrawal> = {
  save: (tx, withdrawal) => tx.withdrawals.save(withdrawal),
  audited: ({ userId }) => ({ resourceType: 'Withdrawal', relatedIds: [userId] }),
  commandOf: withdrawalCommandOf,
};

function withdrawalCommandOf(withdrawal: Withdrawal): Event | undefined {
  const { activeRun, destinationType, destinationRef } = withdrawal;
  const funds = fundsOf(withdrawal);
  switch (activeRun?.saga) {
    case 'withdraw':
      return event(withdrawalHoldRequested, funds);
    case 'settle-withdrawal':
      return event(withdrawalPaidOut, { ...funds, method: destinationType === 'ledger' ? 'ledger_network' : 'payment_provider' });
    case 'free-withdrawal':
      return event(withdrawalCalledOff, funds);
    case 'ledger-payout':
      return event(withdrawalLedgerPayoutRequested, { ...funds, address: destinationRef });
    default:
      return undefined;
  }
}

export function fundsOf({ id, userId, amount }: Pick<Withdrawal, 'id' | 'userId' | 'amount'>) {
  return { withdrawalId: id, userId, amount: formatMoney(amount), currency: amount.currency };
}

export const caseKind: AggregateKind<Case> = {
  save: (tx, found) => tx.cases.save(found),
  audited: ({ userId, relatedId }) => ({
    resourceType: 'ReconciliationCase',
    relatedIds: [userId, relatedId].filter((id) => id !== null),
  }),
  commandOf: caseCommandOf,
};

function caseCommandOf(found: Case): Event | undefined {
  const { id, activeRun, amount, kind, origin, userId, resolution, providerPayoutId } = found;
  const ofCase = { caseId: id, amount: formatMoney(amount), currency: amount.currency, origin };
  if (activeRun?.saga === 'open-case') return event(caseOpened, { ...ofCase, kind });
  if (activeRun?.saga !== 'resolve-case' || resolution === null) return undefined;
  const { action } = resolution;
  // The ledger books a return once the money has left.
  if (action === 'return' && providerPayoutId === null) return undefined;
  return event(caseResolutionRequested, { ...ofCase, action, userId: action === 'credit' ? userId : null });
}
