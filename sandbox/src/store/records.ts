import type { Account } from '../domain/account.js';
import type { AssetKey, Transfer } from '../domain/assets.js';
import type { Escrow } from '../domain/escrow.js';
import type { Payin, Payout } from '../domain/payment.js';

/** An operation of a landed transaction with its effect. */
export type LandedOperation =
  | { readonly kind: 'create_account'; readonly source: string; readonly destination: string; readonly units: bigint }
  | ({ readonly kind: 'payment'; readonly source: string } & Omit<Transfer, 'from'>)
  | { readonly kind: 'change_trust'; readonly source: string; readonly asset: AssetKey; readonly limitUnits: bigint }
  | {
      readonly kind: 'contract_call';
      readonly source: string;
      readonly contractId: string;
      readonly functionName: string;
      readonly transfers: readonly Transfer[];
      /** The contract that a deployment has created. */
      readonly createdContractId?: string | undefined;
    };

export type Memo = { readonly type: 'none' | 'text' | 'id' | 'hash' | 'return'; readonly value?: string | undefined };

/** A transaction in a closed ledger, successful or failed. */
export type LandedTransaction = {
  readonly hash: string;
  readonly ledger: number;
  readonly closedAt: string;
  readonly source: string;
  readonly sequence: bigint;
  readonly feeChargedUnits: bigint;
  readonly feeMaxUnits: bigint;
  readonly envelopeXdr: string;
  readonly signatures: readonly string[];
  readonly memo: Memo;
  readonly validAfter: number;
  readonly validBefore: number;
  readonly operations: readonly LandedOperation[];
  /** Absent for a successful transaction. */
  readonly failure?: { readonly operationCodes: readonly string[]; readonly reason: string } | undefined;
};

export type LedgerHead = {
  readonly sequence: number;
  readonly closedAtMs: number;
  /** Sum of all charged fees. Together with the accounts it conserves the native asset. */
  readonly feePoolUnits: bigint;
  readonly transactions: number;
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
  escrows: Escrow;
  transactions: LandedTransaction;
  ledger: LedgerHead;
  payins: Payin;
  payouts: Payout;
  webhooks: PendingWebhook;
};

export const tableNames = ['accounts', 'escrows', 'transactions', 'ledger', 'payins', 'payouts', 'webhooks'] as const;
export type TableName = (typeof tableNames)[number];

/** The ledger table has one record. */
export const ledgerHeadKey = 'head';
