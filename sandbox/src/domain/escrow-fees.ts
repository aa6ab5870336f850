import { divide } from '@holdfast/kernel/money';

/** The escrow provider's fee on every payout. */
export const protocolFeeBasisPoints = 30n;
export const basisPointsPerWhole = 10_000n;

/** A share of a payout: what both fees take from it, and what its recipient gets. */
export type PayoutShare = { readonly protocolUnits: bigint; readonly platformUnits: bigint; readonly netUnits: bigint };

/**
 * Both fees are taken from the sum of the shares and rounded down. Each share bears its fraction of each fee, rounded down too, so
 * that the recipients keep what the rounding leaves. A release is a payout of one share.
 */
export function payoutShares(shares: readonly bigint[], platformFeeBasisPoints: bigint): readonly PayoutShare[] {
  const total = shares.reduce((sum, units) => sum + units, 0n);
  const protocolFee = feeOf(total, protocolFeeBasisPoints);
  const platformFee = feeOf(total, platformFeeBasisPoints);
  return shares.map((units) => {
    const protocolUnits = divide(units * protocolFee, total, 'down');
    const platformUnits = divide(units * platformFee, total, 'down');
    return { protocolUnits, platformUnits, netUnits: units - protocolUnits - platformUnits };
  });
}

function feeOf(units: bigint, basisPoints: bigint): bigint {
  return divide(units * basisPoints, basisPointsPerWhole, 'down');
}
