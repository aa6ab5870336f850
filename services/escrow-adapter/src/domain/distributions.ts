import type { Distribution } from './steps.js';

export type Shares = { readonly sellerUnits: bigint; readonly buyerUnits: bigint };

/** The distributions of one payout. Zero amounts are left out, because a contract refuses them. */
export function distributionsOf(
  { sellerUnits, buyerUnits }: Shares,
  ...others: readonly Distribution[]
): readonly Distribution[] {
  const all: readonly Distribution[] = [{ to: 'seller', units: sellerUnits }, { to: 'buyer', units: buyerUnits }, ...others];
  return all.filter(({ units }) => units > 0n);
}

/** Distributes the seller's amount over the milestones in order; the remainder goes to the buyer. */
export function shareOut(milestones: readonly { readonly units: bigint }[], { sellerUnits }: Shares): readonly Shares[] {
  let left = sellerUnits;
  return milestones.map(({ units }) => {
    const toSeller = left < units ? left : units;
    left -= toSeller;
    return { sellerUnits: toSeller, buyerUnits: units - toSeller };
  });
}
