import type { Intent, IntentLease } from '@holdfast/intents';
import type { LeaseHandle } from '@holdfast/intents/leases';
import type { MessageId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { LedgerTransfer, Spent } from '../values/index.js';
import type { Expectation, Mismatch } from '../expectations/index.js';
import type { SignedTransaction, StoredTransaction } from '../rpc/index.js';
import type { Role } from '../signing/index.js';

export type TransactionRequest = {
  /** Unique within the intent. */
  readonly step: string;
  /** Identifies the provider request; its hash is stored with the transaction. */
  readonly requestText: string;
  /** Accounts that may sign; the session leases one of them. */
  readonly signers: readonly Signer[];
  readonly build: (signer: Signer) => Promise<string>;
  /** The one transaction that may be signed. */
  readonly expect: (signer: Signer) => Expectation;
  /** What a signer of the treasury spends. */
  readonly spends?: Spent;
};

export type Signer = { readonly role: Role; readonly address: string };

/** A transaction with what is needed to submit it again and to detect how it ended. */
export type OpenTransaction = StoredTransaction & {
  /** What it must move once it has landed. Null for payments, which say themselves what they move. */
  readonly transfers: readonly LedgerTransfer[] | null;
};

/** Its envelope is decoded at most once. */
export type SubmittedTransaction = OpenTransaction & SignedTransaction;

export type NewTransaction = OpenTransaction & {
  /** Null for transactions of the treasury, which belong to no intent. */
  readonly intentId: MessageId | null;
  readonly requestHash: string;
};

/**
 * LANDED and FAILED transactions are on the network; a DEAD one is not and cannot land any more. A MISMATCHED one has moved something
 * else than it must.
 */
export type EndState = 'LANDED' | 'FAILED' | 'DEAD' | 'MISMATCHED';

/** `ledger` contains the transaction; null for a DEAD one. */
export type EndedTransaction = { readonly hash: string; readonly state: EndState; readonly ledger: number | null };

export type TransactionResult =
  | { readonly status: 'landed'; readonly transaction: SubmittedTransaction; readonly ledger: number }
  /** The transaction is on the network and had no effect. */
  | { readonly status: 'failed'; readonly transaction: SubmittedTransaction; readonly ledger: number; readonly reason: string }
  /** Not on the network, and it cannot land any more: its time bounds have passed, or its sequence number was used. */
  | {
      readonly status: 'expired';
      readonly transaction: SubmittedTransaction;
      readonly reason: string;
      /** Its fee was too low for the network, or too high for the treasury. */
      readonly isFeeTheReason: boolean;
    }
  /** On the network, but it has moved something else than it must. It is never booked: a person must look. */
  | {
      readonly status: 'mismatched';
      readonly transaction: SubmittedTransaction;
      readonly ledger: number;
      readonly reason: string;
    }
  /** It may have landed, or may land until its time bounds have passed. */
  | { readonly status: 'unknown'; readonly transaction: SubmittedTransaction }
  /** Nothing was submitted: the provider refused to build the transaction, or could not be reached. */
  | { readonly status: 'not-built'; readonly isRefusal: boolean; readonly reason: string }
  /** The built transaction is not the requested one. Nothing was signed. */
  | RefusedTransaction;

export type RefusedTransaction = { readonly status: 'refused'; readonly step: string; readonly mismatch: Mismatch };

/** The transactions of one run of an intent. */
export type TransactionSession = {
  /**
   * Looks up the transactions that earlier runs have left open and submits them again, unchanged. The result includes every
   * transaction that has landed for the intent, in order.
   */
  readonly resume: () => Promise<readonly TransactionResult[]>;
  /** Builds, signs, stores and submits a transaction, and looks up its result. The same commit records ended transactions. */
  readonly execute: (request: TransactionRequest) => Promise<TransactionResult>;
  /** Records ended transactions in the commit that closes the intent. */
  readonly record: (tx: Tx) => Promise<void>;
  /** Records the other ended transactions and releases the leases of the source accounts. */
  readonly end: () => Promise<void>;
};

export type Transactions = {
  readonly session: (intent: Intent, signal: AbortSignal) => TransactionSession;
};

/** An open transaction, or one that has landed. */
export type LiveTransaction = OpenTransaction & { readonly state: 'OPEN' | EndState; readonly ledger: number | null };

/** The transaction writes of one intent. */
export type TransactionWrite = {
  readonly intent: IntentLease;
  /** Recorded even if the intent's lease was lost, because the end of a transaction is a fact. */
  readonly ended: readonly EndedTransaction[];
  /** Source accounts whose leases are released. */
  readonly accounts: readonly LeaseHandle[];
  /**
   * May be submitted after the commit. Not stored, and LeaseLost is thrown, if another process has claimed the intent; or
   * IntentPaused, if another transaction of the account is open.
   */
  readonly opened?: NewTransaction;
};

export type TransactionStore = {
  /** Open transactions of the intent and those that have landed, oldest first. */
  readonly liveOf: (intentId: string) => Promise<readonly LiveTransaction[]>;
  /** Batched with the writes of other intents into one commit. */
  readonly write: (write: TransactionWrite) => Promise<void>;
  /** Records ended transactions in the transaction that closes their intent. */
  readonly writeEnded: (tx: Tx, write: Omit<TransactionWrite, 'opened'>) => Promise<void>;
};
