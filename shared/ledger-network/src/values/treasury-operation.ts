import type { CustodyAsset } from '@holdfast/kernel/money';

/** An operation in a transaction of the treasury. Its source, which must sign, is `by`, by default the treasury. */
export type TreasuryOperation =
  | { readonly does: 'create'; readonly address: string; readonly units: bigint }
  | { readonly does: 'trust'; readonly by: string | undefined }
  /** From here to `end-sponsoring` the treasury holds the reserves of what is created for the address. */
  | { readonly does: 'sponsor'; readonly address: string }
  | { readonly does: 'end-sponsoring'; readonly by: string }
  | { readonly does: 'pay'; readonly by?: string; readonly to: string; readonly asset: CustodyAsset; readonly units: bigint };
