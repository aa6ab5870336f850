import {
  topupCanceled,
  topupConfirmationRequired,
  topupCreated,
  topupFailed,
  topupCreditRequested,
  topupProcessing,
  topupSucceeded,
} from '@holdfast/contracts/messages';
import { toEpochMs, toInstant, type Instant } from '@holdfast/kernel/context';
import { formatMoney } from '@holdfast/kernel/money';
import { moved } from '@holdfast/kernel/states';
import { event, type Change, type Event } from '@holdfast/sagas';
import type { CancelRequest, Topup } from '../domain/topup.js';
import { topupMoves, type TopupMove } from '../domain/topup-states.js';
import { statusEntry } from './audit.js';

/** A change of a top-up, to which moves are added. */
export type TopupChange<EventType extends string = string> = Change<Topup, EventType>;

export function unchanged(topup: Topup): TopupChange<never> {
  return { after: topup, events: [], auditEntries: [] };
}

export function creation(topup: Topup): TopupChange {
  const { userId, amount, status } = topup;
  const created = event(topupCreated, { userId, ...moneyOf(amount) });
  return { after: topup, events: [created], auditEntries: [statusEntry(null, status, { reports: created.declaration.type })] };
}

/** The first poll comes soon, because a payment by card or balance takes seconds. */
const firstPollAfterMs = 5_000;

/** `isRequired`: the user has to confirm. Not so if the payment was confirmed before its creation was learned. */
export function awaitConfirmation(change: TopupChange, at: Instant, isRequired: boolean): TopupChange {
  const { id: topupId, confirmationUri } = change.after;
  const nextPollAt = toInstant(toEpochMs(at) + firstPollAfterMs);
  const required =
    isRequired && confirmationUri !== null ? event(topupConfirmationRequired, { topupId, confirmationUri }) : undefined;
  return move(change, 'awaitConfirmation', { event: required, columns: { nextPollAt } });
}

export function process(change: TopupChange, providerPayinId: string): TopupChange {
  return move(change, 'process', { event: event(topupProcessing, { topupId: change.after.id, providerPayinId }) });
}

/** Starts the saga that credits the payment. It needs no poll: the command of its run is resent until the reply comes. */
export function credit(change: TopupChange): TopupChange {
  const after = { ...change.after, nextPollAt: null, cancelRequest: null };
  return { ...change, after, starts: { saga: 'top-up', command: topupCreditRequested } };
}

/** The pay-in is read at the payment provider at once, and again until it is confirmed or becomes a case. */
export function unconfirmed(change: TopupChange, at: Instant): TopupChange {
  return { ...change, after: { ...change.after, unconfirmedSince: at, nextConfirmationAt: at } };
}

export function succeed(topup: Topup, newAvailableBalance: string): TopupChange<'topup.succeeded'> {
  const { id: topupId, userId, amount } = topup;
  const succeeded = event(topupSucceeded, { topupId, userId, ...moneyOf(amount), newAvailableBalance, ...payinOf(topup) });
  return move(unchanged(topup), 'succeed', { event: succeeded });
}

export type Failure = { readonly reason: string; readonly errorCode: string | null };

export function fail<EventType extends string>(
  change: TopupChange<EventType>,
  { reason, errorCode }: Failure,
): TopupChange<EventType | 'topup.failed'> {
  const topup = change.after;
  const failed = event(topupFailed, {
    ...endOf(topup),
    reason,
    ...(errorCode === null ? {} : { errorCode }),
    ...payinOf(topup),
  });
  return move(change, 'fail', { event: failed, reason, columns: { ...final, failureReason: reason, errorCode } });
}

export function cancel(change: TopupChange, { canceledBy, reason }: Omit<CancelRequest, 'actor'>): TopupChange {
  const canceled = event(topupCanceled, { ...endOf(change.after), canceledBy, ...(reason === null ? {} : { reason }) });
  return move(change, 'cancel', { event: canceled, reason, columns: final });
}

const final = { nextPollAt: null, cancelRequest: null } as const;

function endOf({ id: topupId, userId, amount }: Topup) {
  return { topupId, userId, amount: formatMoney(amount) };
}

function payinOf({ providerPayinId }: Topup) {
  return providerPayinId === null ? {} : { providerPayinId };
}

function moneyOf(amount: Topup['amount']) {
  return { amount: formatMoney(amount), currency: amount.currency };
}

type Moved<EventType extends string> = {
  readonly event: Event<EventType> | undefined;
  readonly reason?: string | null;
  readonly columns?: Partial<Topup>;
};

/** Adds one state move with its event and its audit entry. */
function move<Before extends string, EventType extends string>(
  change: TopupChange<Before>,
  name: TopupMove,
  { event: moving, reason = null, columns = {} }: Moved<EventType>,
): TopupChange<Before | EventType> {
  const before = change.after;
  const status = moved(topupMoves, name, before.status);
  const reports = moving === undefined ? {} : { reports: moving.declaration.type };
  return {
    ...change,
    after: { ...before, ...columns, status },
    events: [...change.events, ...(moving === undefined ? [] : [moving])],
    auditEntries: [...change.auditEntries, statusEntry(before.status, status, { reason, ...reports })],
  };
}
