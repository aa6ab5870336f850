import { divide } from '@holdfast/kernel/money';

/** The escrow provider's fee on every payout. */
const protocolFeeBasisPoints = 30n;
const basisPointsPerWhole = 10_000n;

export type PayoutParts = { readonly protocolUnits: bigint; readonly platformUnits: bigint; readonly netUnits: bigint };

/** Both fees are deducted from the payout and rounded down to the smallest unit; the three parts always add up to it. */
export function payoutParts(units: bigint, platformFeeBasisPoints: bigint): PayoutParts {
  const protocolUnits = divide(units * protocolFeeBasisPoints, basisPointsPerWhole, 'down');
  const platformUnits = divide(units * platformFeeBasisPoints, basisPointsPerWhole, 'down');
  return { protocolUnits, platformUnits, netUnits: units - protocolUnits - platformUnits };
}
