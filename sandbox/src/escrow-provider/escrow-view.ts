import { issuedAsset, nativeAsset } from '../domain/assets.js';
import type { Escrow, Milestone } from '../domain/escrow.js';
import { numberOfUnits } from '../domain/units.js';

/** The JSON of an escrow in the provider's API. */
export function listedEscrow(escrow: Escrow) {
  const { balance, flags, signer, ...view } = escrowView(escrow);
  const common = { ...view, createdAt: dateView(escrow.createdAt), updatedAt: dateView(escrow.updatedAt) };
  return isNew(escrow) ? common : { ...common, balance, flags, signer };
}

const statusAtFirst = 'pending';

/** The provider leaves out the optional fields of an unused escrow. */
function isNew({ balanceUnits, flags, milestones }: Escrow): boolean {
  const isFlagged = [flags, ...milestones.map((milestone) => milestone.flags)].some((each) => Object.values(each).includes(true));
  return balanceUnits === 0n && !isFlagged && milestones.every(({ status }) => status === statusAtFirst);
}

function dateView(isoText: string) {
  return { _seconds: Math.floor(new Date(isoText).getTime() / 1_000), _nanoseconds: 0 };
}

/** All that the provider knows about an escrow. */
export function escrowView(escrow: Escrow) {
  const { contractId, type, signer, engagementId, title, description, roles, createdAt, updatedAt } = escrow;
  return {
    contractId,
    type,
    signer,
    engagementId,
    title,
    description,
    roles,
    amount: numberOfUnits(escrow.units),
    platformFee: Number(escrow.platformFeeBasisPoints) / 100,
    balance: numberOfUnits(escrow.balanceUnits),
    milestones: escrow.milestones.map((milestone) => milestoneView(escrow, milestone)),
    flags: flagsOf(escrow),
    trustline: trustlineView(escrow),
    createdAt,
    updatedAt,
  };
}

function milestoneView({ type }: Escrow, { description, status, evidence, flags, units = 0n, receiver }: Milestone) {
  const common = { description, status, evidence };
  if (type === 'single-release') return { ...common, approved: flags.approved };
  return { ...common, flags, amount: numberOfUnits(units), receiver };
}

/** A multi-release contract is disputed when one milestone is, and settled when all are. */
export function flagsOf({ type, flags, milestones }: Escrow): Escrow['flags'] {
  if (type === 'single-release') return flags;
  const isSettled = milestones.every((milestone) => milestone.flags.released || milestone.flags.resolved);
  const isReleased = milestones.every((milestone) => milestone.flags.released);
  return {
    disputed: milestones.some((milestone) => milestone.flags.disputed),
    released: isReleased,
    resolved: isSettled && !isReleased,
  };
}

function trustlineView({ asset }: Escrow) {
  const issued = issuedAsset(asset);
  return issued === undefined ? { address: 'native', name: nativeAsset } : { address: issued.issuer, name: issued.code };
}
