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

/** An operation in a transaction of the treasury. Its source, which must sign, is `by`, by default the treasury. */
export type TreasuryOperation =
  | { readonly does: 'create'; readonly address: string; readonly units: bigint }
  | { readonly does: 'trust'; readonly by: string | undefined }
  /** From here to `end-sponsoring` the treasury holds the reserves of what is created for the address. */
  | { readonly does: 'sponsor'; readonly address: string }
  | { readonly does: 'end-sponsoring'; readonly by: string }
  | { readonly does: 'pay'; readonly by?: string; readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };
