import type { AssetKey } from './assets.js';

export const escrowTypes = ['single-release', 'multi-release'] as const;
export type EscrowType = (typeof escrowTypes)[number];

export type EscrowRoles = {
  readonly approver: string;
  readonly serviceProvider: string;
  readonly platformAddress: string;
  readonly releaseSigner: string;
  readonly disputeResolver: string;
  /** Single-release only; a multi-release contract has a receiver for each milestone. */
  readonly receiver?: string | undefined;
};

export type MilestoneFlags = {
  readonly approved: boolean;
  readonly disputed: boolean;
  readonly released: boolean;
  readonly resolved: boolean;
};

export type Milestone = {
  readonly description: string;
  readonly status: string;
  readonly evidence: string;
  readonly flags: MilestoneFlags;
  /** Multi-release only, as is the receiver. */
  readonly units?: bigint | undefined;
  readonly receiver?: string | undefined;
};

export type Escrow = {
  readonly contractId: string;
  readonly type: EscrowType;
  readonly signer: string;
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly roles: EscrowRoles;
  /** For a multi-release contract the sum of its milestones. */
  readonly units: bigint;
  readonly platformFeeBasisPoints: bigint;
  readonly milestones: readonly Milestone[];
  readonly asset: AssetKey;
  readonly balanceUnits: bigint;
  readonly flags: { readonly disputed: boolean; readonly released: boolean; readonly resolved: boolean };
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** The properties of a contract in its deployment. */
export type EscrowProperties = Pick<
  Escrow,
  'type' | 'engagementId' | 'title' | 'description' | 'roles' | 'units' | 'platformFeeBasisPoints' | 'asset'
> & { readonly milestones: readonly Pick<Milestone, 'description' | 'units' | 'receiver'>[] };

export type Distribution = { readonly address: string; readonly units: bigint };

type Of<Name extends string, Arguments = unknown> = { readonly name: Name; readonly caller: string } & Arguments;
type AtMilestone = { readonly index: number };
type Distributing = { readonly distributions: readonly Distribution[] };

/** The calls of a deployed contract. */
export type EscrowCall =
  | Of<'fund_escrow', { readonly units: bigint }>
  | Of<'change_milestone_status', AtMilestone & { readonly status: string; readonly evidence: string }>
  | Of<'approve_milestone', AtMilestone>
  | Of<'release_funds'>
  | Of<'release_milestone_funds', AtMilestone>
  | Of<'dispute_escrow'>
  | Of<'dispute_milestone', AtMilestone>
  | Of<'resolve_dispute', Distributing>
  | Of<'resolve_milestone_dispute', AtMilestone & Distributing>
  | Of<'withdraw_remaining_funds', Distributing>;
