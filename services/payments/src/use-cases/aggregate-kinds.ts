import {
  caseBookingRequested,
  caseResolutionRequested,
  topupCreditRequested,
  withdrawalAbortRequested,
  withdrawalFreeRequested,
  withdrawalReserveRequested,
  withdrawalLedgerPayoutRequested,
  withdrawalDeductRequested,
} from '@holdfast/contracts/messages';
import { formatMoney } from '@holdfast/kernel/money';
import { command, event, type AggregateKind } from '@holdfast/sagas';
import type { Case } from '../domain/case.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { UnitOfWork } from './ports.js';

export const topupKind: AggregateKind<Topup, UnitOfWork> = {
  save: (tx, topup) => tx.topups.save(topup),
  audited: ({ userId }) => ({ resourceType: 'TopUp', relatedIds: [userId] }),
  commands: {
    'top-up': command(topupCreditRequested, ({ id, userId, amount }) => ({ topupId: id, userId, ...moneyOf(amount) })),
  },
};

export const withdrawalKind: AggregateKind<Withdrawal, UnitOfWork> = {
  save: (tx, withdrawal) => tx.withdrawals.save(withdrawal),
  audited: ({ userId }) => ({ resourceType: 'Withdrawal', relatedIds: [userId] }),
  commands: {
    withdraw: command(withdrawalReserveRequested, fundsOf),
    'ledger-payout': command(withdrawalLedgerPayoutRequested, (withdrawal) => ({
      ...fundsOf(withdrawal),
      address: withdrawal.destinationRef,
    })),
    'complete-withdrawal': command(withdrawalDeductRequested, (withdrawal) => ({
      ...fundsOf(withdrawal),
      method: withdrawal.destinationType === 'ledger' ? 'ledger_network' : 'payment_provider',
    })),
    'free-withdrawal': command(withdrawalFreeRequested, fundsOf),
  },
  // The only saga of this service with a deadline. Only the ledger knows whether the amount is reserved.
  abortOf: (withdrawal, commandId) =>
    withdrawal.activeRun?.saga === 'withdraw'
      ? event(withdrawalAbortRequested, { ...fundsOf(withdrawal), commandId })
      : undefined,
};

export function fundsOf({ id, userId, amount }: Pick<Withdrawal, 'id' | 'userId' | 'amount'>) {
  return { withdrawalId: id, userId, ...moneyOf(amount) };
}

export const caseKind: AggregateKind<Case, UnitOfWork> = {
  save: (tx, found) => tx.cases.save(found),
  audited: ({ userId, relatedId }) => ({
    resourceType: 'ReconciliationCase',
    relatedIds: [userId, relatedId].filter((id) => id !== null),
  }),
  commands: {
    'open-case': command(caseBookingRequested, (found) => ({ ...bookedOf(found), kind: found.kind })),
    'resolve-case': command(caseResolutionRequested, resolutionOf),
  },
};

/** The ledger books a return once the money has left. */
function resolutionOf(found: Case) {
  const { userId, resolution, providerPayoutId } = found;
  if (resolution === null || (resolution.action === 'return' && providerPayoutId === null)) return undefined;
  const { action } = resolution;
  return { ...bookedOf(found), action, userId: action === 'credit' ? userId : null };
}

function bookedOf({ id, amount, origin }: Case) {
  return { caseId: id, ...moneyOf(amount), origin };
}

function moneyOf(amount: Topup['amount']) {
  return { amount: formatMoney(amount), currency: amount.currency };
}
