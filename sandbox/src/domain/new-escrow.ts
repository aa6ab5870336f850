import type { AssetKey } from './assets.js';
import { basisPointsPerWhole, protocolFeeBasisPoints } from './escrow-fees.js';
import type { Escrow, EscrowState, Milestone } from './escrow.js';
import { contractRefusal } from './operation-failure.js';

const milestonesMax = 50;
const platformFeeBasisPointsMax = 9_900n;

type Deployment = { readonly contractId: string; readonly signer: string; readonly asset: AssetKey; readonly at: string };

/** The contract as it is stored when its deployment lands. */
export function newEscrow(state: EscrowState, { contractId, signer, asset, at }: Deployment): Escrow {
  const refusal = flawOf(state);
  if (refusal !== undefined) throw contractRefusal(refusal);
  return { ...state, contractId, signer, asset, balanceUnits: 0n, createdAt: at, updatedAt: at };
}

/** The first rule that the struct breaks, in the order of the contract. */
function flawOf({ milestones, platformFeeBasisPoints, units, type, flags }: EscrowState): string | undefined {
  if (platformFeeBasisPoints > platformFeeBasisPointsMax) return 'The platform fee cannot exceed 99%';
  if (platformFeeBasisPoints + protocolFeeBasisPoints > basisPointsPerWhole) return 'The fees cannot exceed the amount';
  if (type === 'single-release' && units <= 0n) return 'The amount must be greater than zero';
  if (type === 'multi-release' && !milestones.every(hasAmount)) return 'Every milestone amount must be greater than zero';
  if (milestones.length === 0) return 'There must be at least one milestone';
  if (milestones.length > milestonesMax) return `There can be at most ${milestonesMax} milestones`;
  const isFlagged = [flags, ...milestones.map((milestone) => milestone.flags)].some((each) => Object.values(each).includes(true));
  return isFlagged ? 'All flags must be false in a new escrow' : undefined;
}

function hasAmount({ units = 0n }: Milestone): boolean {
  return units > 0n;
}
