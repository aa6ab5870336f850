import type { Instant } from '@holdfast/kernel/context';
import type { CustodyAsset } from '@holdfast/contracts/messages';

/** A transfer of tokens between two addresses. */
export type Transfer = {
  readonly from: string;
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
};

/** One operation of the network's history. Transfers of assets other than USDC and XLM are left out. */
export type LedgerOperation = {
  readonly id: string;
  readonly type: string;
  readonly transactionHash: string;
  readonly isSuccessful: boolean;
  readonly at: Instant;
  /** Empty where the operation failed or moved nothing. */
  readonly transfers: readonly Transfer[];
  /** The fee of the whole transaction and its payer; the same in each of its operations. */
  readonly fee: { readonly address: string; readonly units: bigint };
};

export type OperationPage = { readonly operations: readonly LedgerOperation[]; readonly isLast: boolean };

/** Reads the network's history. Throws SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT. */
export type LedgerHistory = {
  /** All operations of the network after the cursor, oldest first, including failed transactions. */
  readonly all: (cursor: string) => Promise<OperationPage>;
  /** Payments of one account after the cursor, oldest first. */
  readonly ofAccount: (address: string, cursor: string) => Promise<OperationPage>;
  /** Every operation of one transaction. */
  readonly ofTransaction: (hash: string) => Promise<readonly LedgerOperation[]>;
  /** Payments of one account before the cursor, newest first. */
  readonly newestOf: (
    address: string,
    page: { readonly cursor: string | undefined; readonly limit: number },
  ) => Promise<readonly LedgerOperation[]>;
};
