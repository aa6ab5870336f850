import { EventEmitter } from 'node:events';
import type { Clock } from '@holdfast/kernel/context';
import type { Account } from '../domain/account.js';
import { firstLedgerKey, ledgerHeadKey, type LandedTransaction, type LedgerHead } from '../store/records.js';
import type { Store } from '../store/store.js';
import { isoTime } from './iso-time.js';
import { createVerifier } from './keys.js';
import { land, type Landing } from './land.js';
import type { LedgerView } from './ledger-view.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { InvalidTransaction, feeOf, requireValid } from './validity.js';

/** Closes ledgers. Close times never decrease, so an expired transaction can never land later. */
export type Ledgers = {
  /** Throws InvalidTransaction where the transaction cannot land in the next ledger. */
  readonly requireValid: (transaction: SubmittedTransaction) => void;
  readonly isValid: (transaction: SubmittedTransaction) => boolean;
  /** Closes a ledger with the transactions that are valid in it, each after those before it. The others are left out. */
  readonly close: (transactions: readonly SubmittedTransaction[], bidUnits: bigint) => void;
  /** Closes a ledger with one transaction, or throws InvalidTransaction. */
  readonly closeWith: (transaction: SubmittedTransaction, bidUnits: bigint) => LandedTransaction;
  /** Resolves when the next ledger closes, or when waiting shall end. */
  readonly nextClose: () => Promise<void>;
  readonly wakeWaiting: () => void;
};

export type LedgersOptions = { readonly clock: Clock; readonly landing: Landing };

export function createLedgers({ clock, landing }: LedgersOptions): Ledgers {
  const { store } = landing;
  const verify = createVerifier();
  const closes = new EventEmitter().setMaxListeners(0);

  const nextHead = (): LedgerHead => {
    const head = headOf(store);
    return { ...head, sequence: head.sequence + 1, closedAtMs: Math.max(head.closedAtMs, clock.epochMs()) };
  };
  const requireValidIn = (transaction: SubmittedTransaction, { closedAtMs }: LedgerHead): void => {
    const accountOf = (id: string): Account | undefined => store.find('accounts', id);
    requireValid(transaction, { accountOf, closeTime: Math.floor(closedAtMs / 1_000), verify });
  };
  const isValidIn = (transaction: SubmittedTransaction, ledger: LedgerHead): boolean => {
    try {
      requireValidIn(transaction, ledger);
      return true;
    } catch (error) {
      if (error instanceof InvalidTransaction) return false;
      throw error;
    }
  };
  /** The head of the ledger is written with each of its transactions, so that the fee pool is right after every one. */
  const landIn = (transaction: SubmittedTransaction, ledger: LedgerHead, facts: LandingFacts): LandedTransaction => {
    const feeUnits = feeOf(transaction, facts.bidUnits);
    const { feePoolUnits, transactions, lastOfferId } = headOf(store);
    const head = { ...ledger, feePoolUnits: feePoolUnits + feeUnits, transactions: transactions + 1, lastOfferId };
    const closing = { head, closedAt: isoTime(ledger.closedAtMs), applicationOrder: facts.applicationOrder };
    return land(landing, transaction, feeUnits, closing);
  };

  return {
    requireValid: (transaction) => requireValidIn(transaction, nextHead()),
    isValid: (transaction) => isValidIn(transaction, nextHead()),
    close: (transactions, bidUnits) => {
      const ledger = nextHead();
      let applicationOrder = 0;
      for (const transaction of transactions) {
        if (!isValidIn(transaction, ledger)) continue;
        applicationOrder += 1;
        landIn(transaction, ledger, { bidUnits, applicationOrder });
      }
      if (applicationOrder === 0) closeEmpty(store, ledger);
      closes.emit('close');
    },
    closeWith: (transaction, bidUnits) => {
      const ledger = nextHead();
      requireValidIn(transaction, ledger);
      const landed = landIn(transaction, ledger, { bidUnits, applicationOrder: 1 });
      closes.emit('close');
      return landed;
    },
    nextClose: () => new Promise((resolve) => void closes.once('close', resolve)),
    wakeWaiting: () => void closes.emit('close'),
  };
}

type LandingFacts = { readonly bidUnits: bigint; readonly applicationOrder: number };

function closeEmpty(store: Store, head: LedgerHead): void {
  const storeTransaction = store.begin();
  storeTransaction.put('ledger', ledgerHeadKey, head);
  storeTransaction.commit();
}

export function headOf({ find }: Pick<Store, 'find'>): LedgerHead {
  const head = find('ledger', ledgerHeadKey);
  if (head === undefined) throw new Error('the network must have a ledger since its genesis');
  return head;
}

export function viewOf(find: Store['find']): LedgerView {
  const head = headOf({ find });
  return { head, oldest: find('ledger', firstLedgerKey) ?? head, find };
}
