import type { Escrow, EscrowProperties } from './escrow.js';
import { contractRefusal } from './operation-failure.js';

const milestonesMax = 50;
const platformFeeBasisPointsMax = 9_900n;
const noFlags = { approved: false, disputed: false, released: false, resolved: false } as const;

type Deployment = { readonly contractId: string; readonly signer: string; readonly at: string };

/** The contract as it is stored when its deployment lands. */
export function newEscrow(properties: EscrowProperties, { contractId, signer, at }: Deployment): Escrow {
  const refusal = flawOf(properties);
  if (refusal !== undefined) throw contractRefusal(refusal);
  return {
    ...properties,
    contractId,
    signer,
    balanceUnits: 0n,
    flags: { disputed: false, released: false, resolved: false },
    createdAt: at,
    updatedAt: at,
    milestones: properties.milestones.map((milestone) => ({ ...milestone, status: '', evidence: '', flags: noFlags })),
  };
}

function flawOf({ milestones, platformFeeBasisPoints, units, type }: EscrowProperties): string | undefined {
  if (milestones.length === 0) return 'There must be at least one milestone';
  if (milestones.length > milestonesMax) return `There can be at most ${milestonesMax} milestones`;
  if (platformFeeBasisPoints < 0n || platformFeeBasisPoints > platformFeeBasisPointsMax) {
    return 'The platform fee must be from 0 to 99 percent';
  }
  if (units <= 0n) return 'The amount must be greater than zero';
  if (type === 'single-release') return undefined;
  if (milestones.some((milestone) => (milestone.units ?? 0n) <= 0n)) return 'Every milestone amount must be greater than zero';
  return undefined;
}
