import type { CustodyAsset } from '@holdfast/kernel/money';

/** A payment to an address on the ledger network. */
export type Payment = {
  readonly to: string;
  readonly asset: CustodyAsset;
  readonly units: bigint;
  /** The payment creates the account of the address. */
  readonly isNewAccount: boolean;
  /** 32 bytes in hex that say what is paid, also to a platform whose database was restored from a backup. */
  readonly memoHash: string;
};

export type Spent = { readonly asset: CustodyAsset; readonly units: bigint };
