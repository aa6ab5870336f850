import { randomUUID } from 'node:crypto';
import type { Clock } from '@holdfast/kernel/context';
import { canMove } from '@holdfast/kernel/states';
import {
  feeUnitsOf,
  floatUnits,
  payinMoves,
  payoutMoves,
  spentUnitsOf,
  type Payin,
  type PayinMove,
  type Payout,
  type PayoutMove,
} from '../domain/payment.js';
import type { Store } from '../store/store.js';
import type { WebhookQueue } from '../webhooks/queue.js';
import { PaymentRefusal } from './responses.js';
import { payinView, payoutView } from './views.js';

export type PaymentsDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly webhooks: WebhookQueue;
  readonly isAutomatic: boolean;
  readonly feeBasisPoints: number;
  /** Base URL of the checkout pages; a function, because the port is known after the start. */
  readonly checkoutBase: () => string;
};

export type NewPayin = Pick<Payin, 'code' | 'units' | 'description' | 'items' | 'returnUri' | 'cancelUri'>;
export type NewPayout = Pick<Payout, 'code' | 'units' | 'email' | 'notes' | 'internalNote'> & { readonly isCommitted: boolean };

/** The platform's float at the start: 1,000,000.00. */
const startUnits = 1_000_000n * 10_000_000n;

export type Payments = ReturnType<typeof createPayments>;

/** Creates payins and payouts and moves their states. The webhook of a move is stored in the same transaction. */
export function createPayments(deps: PaymentsDeps) {
  const { store } = deps;
  const payin = (id: string): Payin => found(store.find('payins', id), '415031');
  const payout = (id: string): Payout => found(store.find('payouts', id), '415005');
  const payinWithCode = (code: string): Payin | undefined => [...store.all('payins')].find((each) => each.code === code);
  const payoutWithCode = (code: string): Payout | undefined => [...store.all('payouts')].find((each) => each.code === code);
  const float = (): bigint => floatUnits(startUnits, store.all('payins'), store.all('payouts'));

  const movePayin = (id: string, move: PayinMove, reason?: string): Payin => {
    const current = payin(id);
    if (!canMove(payinMoves, move, current.status))
      throw new PaymentRefusal(current.status === 'CONFIRMED' ? '415032' : '415030');
    const payer = move === 'confirm' ? { payerEmail: payerOf(current) } : {};
    const changed = { ...current, ...payer, status: payinMoves[move].to, failureReason: reason, updatedAt: now(deps) };
    return savePayin(deps, changed, payinEvents[move]);
  };

  const movePayout = (id: string, move: PayoutMove, reason?: string): Payout => {
    const current = payout(id);
    if (!canMove(payoutMoves, move, current.status)) throw new PaymentRefusal(move === 'cancel' ? '415055' : '415027');
    if (move === 'commit' && float() < spentUnitsOf(current)) throw new PaymentRefusal('415016');
    const reasons = reasonsOf(move, reason);
    const changed = { ...current, ...reasons, status: payoutMoves[move].to, updatedAt: now(deps) };
    const saved = savePayout(deps, changed, payoutEvents[move]);
    return move === 'commit' && deps.isAutomatic ? movePayout(id, 'complete') : saved;
  };

  return {
    payin,
    payout,
    payinByCode: (code: string): Payin => found(payinWithCode(code), '415031'),
    payoutByCode: (code: string): Payout => found(payoutWithCode(code), '415005'),
    payins: () => store.all('payins'),
    payouts: () => store.all('payouts'),
    float,
    movePayin,
    receivePayin: (id: string, received: Received): Payin => receive(deps, payin(id), received),
    movePayout,
    completePayout: (id: string): Payout => (hasEnded(payout(id)) ? completeLate(deps, payout(id)) : movePayout(id, 'complete')),
    createPayin: (request: NewPayin): Payin => {
      if (payinWithCode(request.code) !== undefined) throw new PaymentRefusal('415029');
      const created = savePayin(
        deps,
        { ...request, ...newPaymentFields(deps, request.units), status: 'CREATED', failureReason: undefined },
        'payin.created',
      );
      return deps.isAutomatic ? movePayin(created.id, 'confirm') : created;
    },
    createPayout: ({ isCommitted, ...request }: NewPayout): Payout => {
      if (request.code !== undefined && payoutWithCode(request.code) !== undefined) throw new PaymentRefusal('415056');
      const fields = newPaymentFields(deps, request.units);
      if (isCommitted && float() < spentUnitsOf({ ...request, ...fields })) throw new PaymentRefusal('415016');
      const created = savePayout(deps, { ...request, ...fields, ...noReason, status: 'CREATED' }, 'payout.created');
      return isCommitted ? movePayout(created.id, 'commit') : created;
    },
  };
}

const failedReasonCode = 'PAYOUT_FAILED';
const noReason = { reasonCode: undefined, reasonDescription: undefined };

/** The user has done what the payout waited for once it continues. */
function reasonsOf(move: PayoutMove, reason: string | undefined): Partial<Payout> {
  if (move === 'resume') return noReason;
  return reason === undefined ? {} : { reasonCode: failedReasonCode, reasonDescription: reason };
}

/** The amount and the payer, where they are not the usual ones; null means that the payin names no payer. */
export type Received = { readonly amount?: bigint | undefined; readonly payerEmail?: string | null | undefined };

/** A control route may let money arrive late, after the payin was canceled or has failed, in another amount or from another payer. */
function receive(deps: PaymentsDeps, payin: Payin, { amount: units = payin.units, payerEmail }: Received): Payin {
  if (payin.status === 'CONFIRMED') throw new PaymentRefusal('415032');
  const payer = payerEmail === undefined ? payerOf(payin) : (payerEmail ?? undefined);
  const feeUnits = feeUnitsOf(units, deps.feeBasisPoints);
  const received = { ...payin, units, feeUnits, status: 'CONFIRMED', failureReason: undefined, updatedAt: now(deps) } as const;
  return savePayin(deps, { ...received, payerEmail: payer }, payinEvents.confirm);
}

/** The checkout page has no login, so each payin has its own payer. */
function payerOf({ id }: Payin): string {
  return `payer-${id}@example.com`;
}

function hasEnded({ status }: Payout): boolean {
  return status === 'FAILED' || status === 'CANCELED';
}

/** A control route may complete a payout late, after it has failed or was canceled. */
function completeLate(deps: PaymentsDeps, payout: Payout): Payout {
  return savePayout(deps, { ...payout, ...noReason, status: 'COMPLETED', updatedAt: now(deps) }, payoutEvents.complete);
}

const payinEvents: Readonly<Record<PayinMove, string>> = {
  confirm: 'payin.confirmed',
  fail: 'payin.failed',
  cancel: 'payin.canceled',
};
/** The provider sends none for a commit. */
const payoutEvents: Readonly<Record<PayoutMove, string | undefined>> = {
  commit: undefined,
  'require-action': 'payout.pending_user_action',
  resume: 'payout.pending',
  complete: 'payout.completed',
  fail: 'payout.failed',
  cancel: 'payout.canceled',
};

function savePayin({ store, webhooks, checkoutBase }: PaymentsDeps, payin: Payin, event: string): Payin {
  const transaction = store.begin();
  transaction.put('payins', payin.id, payin);
  webhooks.paymentChanged(transaction, event, payinView(payin, checkoutBase()));
  transaction.commit();
  return payin;
}

function savePayout({ store, webhooks }: PaymentsDeps, payout: Payout, event: string | undefined): Payout {
  const transaction = store.begin();
  transaction.put('payouts', payout.id, payout);
  if (event !== undefined) webhooks.paymentChanged(transaction, event, payoutView(payout));
  transaction.commit();
  return payout;
}

function newPaymentFields(deps: PaymentsDeps, units: bigint) {
  const at = now(deps);
  return { id: randomUUID(), feeUnits: feeUnitsOf(units, deps.feeBasisPoints), createdAt: at, updatedAt: at };
}

function now({ clock }: PaymentsDeps): string {
  return new Date(clock.epochMs()).toISOString();
}

function found<T>(value: T | undefined, code: '415005' | '415031'): T {
  if (value === undefined) throw new PaymentRefusal(code);
  return value;
}
