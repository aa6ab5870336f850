import { divide } from '@holdfast/kernel/money';

/** The escrow provider's fee on every payout. */
export const protocolFeeBasisPoints = 30n;
export const basisPointsPerWhole = 10_000n;

/** A part of a payout: the shares of both fees that are deducted from it, and what its recipient gets. */
export type PayoutPart = { readonly protocolUnits: bigint; readonly platformUnits: bigint; readonly netUnits: bigint };

/**
 * Both fees are taken from the sum of the parts and rounded down. Each part loses its share of each fee, rounded down too, so
 * that the recipients keep what the rounding leaves. A release is a payout of one part.
 */
export function payoutParts(parts: readonly bigint[], platformFeeBasisPoints: bigint): readonly PayoutPart[] {
  const total = parts.reduce((sum, units) => sum + units, 0n);
  const protocolFee = feeOf(total, protocolFeeBasisPoints);
  const platformFee = feeOf(total, platformFeeBasisPoints);
  return parts.map((units) => {
    const protocolUnits = divide(units * protocolFee, total, 'down');
    const platformUnits = divide(units * platformFee, total, 'down');
    return { protocolUnits, platformUnits, netUnits: units - protocolUnits - platformUnits };
  });
}

function feeOf(units: bigint, basisPoints: bigint): bigint {
  return divide(units * basisPoints, basisPointsPerWhole, 'down');
}
