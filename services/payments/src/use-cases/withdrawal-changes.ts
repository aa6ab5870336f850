import {
  withdrawalFreeRequested,
  withdrawalLedgerPayoutRequested,
  withdrawalDeductRequested,
} from '@holdfast/contracts/messages';
import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/context';
import { idFromParts, type MessageId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import { canMove, moved } from '@holdfast/kernel/states';
import type { Change, Event } from '@holdfast/sagas';
import { withdrawalMoves, type WithdrawalMove } from '../domain/withdrawal-states.js';
import type { Withdrawal, WithdrawalOutcome } from '../domain/withdrawal.js';
import { statusEntry } from './audit.js';
import type { UnitOfWork } from './ports.js';
import { committedEvent, pendingEvent } from './withdrawal-events.js';

/** INVALID_STATE if the current status does not allow the move. */
export function moveWithdrawal(withdrawal: Withdrawal, move: WithdrawalMove): Withdrawal {
  return { ...withdrawal, status: moved(withdrawalMoves, move, withdrawal.status) };
}

/** The change to another status with its event and audit entry. */
export function statusChange<EventType extends string>(
  before: Withdrawal,
  after: Withdrawal,
  event: Event<EventType>,
  reason?: string | null,
): Change<Withdrawal, EventType> {
  const given = reason === undefined ? {} : { reason };
  return {
    after,
    events: [event],
    auditEntries: [statusEntry(before.status, after.status, { reports: event.declaration.type, ...given })],
  };
}

/** One change after the other, in one commit. */
export function inSequence<First extends string, Next extends string>(
  first: Change<Withdrawal, First>,
  next: (after: Withdrawal) => Change<Withdrawal, Next>,
): Change<Withdrawal, First | Next> {
  const { events, auditEntries, ...second } = next(first.after);
  return {
    ...second,
    events: [...first.events, ...events],
    auditEntries: [...first.auditEntries, ...auditEntries],
  };
}

/** Commits the withdrawal: the money is sent by an intent, or on the ledger network by a saga. */
export function commitChange(before: Withdrawal, available: Money, at: Instant): Change<Withdrawal, 'withdrawal.committed'> {
  const after = { ...moveWithdrawal(before, 'commit'), committedAt: at };
  const change = statusChange(before, after, committedEvent(after, available));
  if (before.destinationType !== 'ledger') return change;
  return { ...change, starts: { saga: 'ledger-payout', command: withdrawalLedgerPayoutRequested } };
}

const createPayoutKind = 'create-payout';
const payoutPriority = 1;

/** Stores the intent that sends a committed withdrawal through the payment provider, in the transaction that commits it. */
export function requestPayout(tx: UnitOfWork, withdrawal: Withdrawal, correlationId: string): void {
  const { id, marketplaceId, destinationType, committedAt } = withdrawal;
  if (destinationType === 'ledger' || committedAt === null) return;
  tx.intents.insert({
    id: payoutIntentId(id, committedAt),
    kind: createPayoutKind,
    subject: id,
    priority: payoutPriority,
    marketplaceId,
    correlationId,
    requestedAt: committedAt,
    payload: {},
  });
}

function payoutIntentId(withdrawalId: string, committedAt: Instant): MessageId {
  return idFromParts('evt', committedAt, [withdrawalId, createPayoutKind]);
}

const firstPollAfterMs = 5_000;

/** The payment provider sends no event about some statuses, so it is polled until the payout has ended. */
export function firstPoll(at: Instant): Pick<Withdrawal, 'nextPollAt' | 'polls'> {
  return { nextPollAt: toInstant(toEpochMs(at) + firstPollAfterMs), polls: 0 };
}

export function acceptChange(before: Withdrawal, providerPayoutId: string): Change<Withdrawal, 'withdrawal.pending'> {
  const after = { ...moveWithdrawal(before, 'accept'), providerPayoutId };
  return statusChange(before, after, pendingEvent(after, providerPayoutId));
}

/** Every paid withdrawal was WITHDRAWAL_PENDING before, also if its completion is the first that is learned of the payout. */
export function acceptIfCommitted(before: Withdrawal, providerPayoutId: string): Change<Withdrawal, 'withdrawal.pending'> {
  if (before.status === 'WITHDRAWAL_COMMITTED') return acceptChange(before, providerPayoutId);
  return { after: { ...before, providerPayoutId }, events: [], auditEntries: [] };
}

/** The money has left: starts the saga with which the ledger deducts the amount. */
export function paidChange(before: Withdrawal, completedAt: Instant): Change<Withdrawal, never> {
  return {
    after: { ...before, outcome: { move: 'complete', completedAt }, nextPollAt: null },
    events: [],
    auditEntries: [],
    starts: { saga: 'complete-withdrawal', command: withdrawalDeductRequested },
  };
}

/** Nothing has left: starts the saga with which the ledger frees the amount. */
export function freeChange(
  before: Withdrawal,
  outcome: Exclude<WithdrawalOutcome, { readonly move: 'complete' }>,
): Change<Withdrawal, never> {
  return {
    after: { ...before, outcome, nextPollAt: null },
    events: [],
    auditEntries: [],
    starts: { saga: 'free-withdrawal', command: withdrawalFreeRequested },
  };
}

type Failure = { readonly reason: string; readonly errorCode: string | null };

/** The end of a withdrawal that has paid nothing. If its cancellation was requested before, it is canceled. */
export function unpaidChange(before: Withdrawal, failure: Failure): Change<Withdrawal, never> {
  const { cancelRequest, status } = before;
  const isCanceled = cancelRequest !== null && canMove(withdrawalMoves, 'cancel', status);
  return freeChange(before, isCanceled ? { move: 'cancel', ...cancelRequest } : { move: 'fail', ...failure });
}
