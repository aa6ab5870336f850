import type { Account } from '../domain/account.js';
import type { BalanceChange } from '../domain/assets.js';
import type { EntryChange } from '../domain/entry-changes.js';
import type { Escrow } from '../domain/escrow.js';
import type { Lifetimes } from '../domain/lifetimes.js';
import type { OperationCode } from '../domain/operation-failure.js';
import type { ClassicOperation } from '../domain/operations.js';
import type { Payin, Payout } from '../domain/payment.js';
import type { ClaimableBalance } from '../domain/transfer-operations.js';

/** An operation of a landed transaction with its effect. */
export type LandedOperation = ClassicOperation | FootprintOperation | LandedContractCall;

export type LandedContractCall = {
  readonly kind: 'contract_call';
  readonly source: string;
  readonly contractId: string;
  readonly functionName: string;
  readonly balanceChanges: readonly BalanceChange[];
  /** The contract that a deployment has created. */
  readonly createdContractId?: string | undefined;
  /** The escrow after the call of its contract or factory; absent when the transaction has failed. */
  readonly escrow?: Escrow | undefined;
};

/** An operation that extends the life of the entries in its transaction's footprint, or restores archived ones. */
export type FootprintOperation =
  | { readonly kind: 'extend_footprint_ttl'; readonly source: string; readonly extendTo: number }
  | { readonly kind: 'restore_footprint'; readonly source: string };

export type Memo = { readonly type: 'none' | 'text' | 'id' | 'hash' | 'return'; readonly value?: string | undefined };

/** The fee bump in which a transaction landed. */
export type LandedFeeBump = {
  readonly hash: string;
  /** The account that has paid the fee. */
  readonly source: string;
  readonly feeMaxUnits: bigint;
  readonly signatures: readonly string[];
};

/** A transaction in a closed ledger, successful or failed. Where there is a fee bump, the hash belongs to the inner transaction. */
export type LandedTransaction = {
  readonly hash: string;
  readonly ledger: number;
  /** Its place in the ledger, from 1. */
  readonly applicationOrder: number;
  readonly closedAt: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly feeChargedUnits: bigint;
  /** What the transaction itself offers, also inside a fee bump. */
  readonly feeMaxUnits: bigint;
  /** Part of both fees; absent without a contract call. */
  readonly resourceFeeUnits?: bigint | undefined;
  /** The whole envelope, with the fee bump if there is one. */
  readonly envelopeXdr: string;
  readonly signatures: readonly string[];
  /** Set where the transaction landed inside a fee bump. */
  readonly feeBump?: LandedFeeBump | undefined;
  readonly memo: Memo;
  /** The time bounds in unix seconds; zero means none. */
  readonly validAfter: number;
  readonly validBefore: number;
  readonly operations: readonly LandedOperation[];
  /** The entries of the ledger that each operation has changed. Absent for a failed transaction. */
  readonly changes?: readonly (readonly EntryChange[])[] | undefined;
  /** Absent for a successful transaction. */
  readonly failure?: LandedFailure | undefined;
};

export type LandedFailure = {
  /** Set where no operation has failed, but the transaction as a whole; `tx_failed` otherwise. */
  readonly code?: 'tx_bad_sponsorship' | undefined;
  readonly operationCodes: readonly (OperationCode | 'op_success')[];
  readonly reason: string;
};

export type LedgerHead = {
  readonly sequence: number;
  readonly closedAtMs: number;
  /** Sum of all charged fees. Together with the accounts it conserves the native asset. */
  readonly feePoolUnits: bigint;
  readonly transactions: number;
  /** The network counts offers from 1 on; absent before the first one. */
  readonly lastOfferId?: number | undefined;
};

/** A webhook that is not delivered yet. */
export type PendingWebhook = {
  readonly id: string;
  readonly receiver: 'escrow' | 'payment';
  readonly body: string;
  readonly attempts: number;
  readonly createdAtMs: number;
};

/** The record type of each table. */
export type Records = {
  accounts: Account;
  claimableBalances: ClaimableBalance;
  escrows: Escrow;
  /** The lifetimes of contracts, by address. */
  lifetimes: Lifetimes;
  transactions: LandedTransaction;
  /** By the hash of the fee bump: the transaction inside of it. */
  feeBumps: { readonly transactionHash: string };
  ledger: LedgerHead;
  payins: Payin;
  payouts: Payout;
  webhooks: PendingWebhook;
  /** By the reference of the request: the transaction of the faucet. */
  faucetPayments: { readonly transactionHash: string };
};

export const tableNames = [
  'accounts',
  'claimableBalances',
  'escrows',
  'lifetimes',
  'transactions',
  'feeBumps',
  'ledger',
  'payins',
  'payouts',
  'webhooks',
  'faucetPayments',
] as const;
export type TableName = (typeof tableNames)[number];

/** The ledger table has two records: the first ledger and the last closed one. */
export const firstLedgerKey = 'first';
export const ledgerHeadKey = 'head';
