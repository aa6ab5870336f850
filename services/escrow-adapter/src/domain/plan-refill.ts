import type { CustodyAsset } from '@holdfast/kernel/money';
import type { TreasuryOperation } from '@holdfast/ledger-network/values';

export type RefillState = {
  readonly treasury: string;
  /** Idle channels. */
  readonly free: readonly string[];
  /** What the accounts can spend, by address. */
  readonly held: ReadonlyMap<string, bigint>;
};

/**
 * Payments that collect the amount in the free channel with the highest balance: from the treasury first, then from the other free
 * channels, the richest first. None where they do not hold enough together.
 */
export function planRefill(
  { asset, units }: { readonly asset: CustodyAsset; readonly units: bigint },
  { treasury, free, held }: RefillState,
): readonly TreasuryOperation[] {
  const heldBy = (address: string): bigint => held.get(address) ?? 0n;
  const [to, ...others] = free.toSorted((one, other) => (heldBy(one) > heldBy(other) ? -1 : 1));
  if (to === undefined) return [];
  let missing = units - heldBy(to);
  const operations = [treasury, ...others].flatMap((payer): readonly TreasuryOperation[] => {
    const paid = heldBy(payer) < missing ? heldBy(payer) : missing;
    if (paid <= 0n) return [];
    missing -= paid;
    return [{ does: 'pay', ...(payer === treasury ? {} : { by: payer }), to, asset, units: paid }];
  });
  return missing > 0n ? [] : operations;
}
