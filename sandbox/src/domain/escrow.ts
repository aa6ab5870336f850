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

/** What the contract stores about an escrow. */
export type EscrowState = {
  readonly type: EscrowType;
  readonly engagementId: string;
  readonly title: string;
  readonly description: string;
  readonly roles: EscrowRoles;
  /** For a multi-release contract the sum of its milestones. */
  readonly units: bigint;
  readonly platformFeeBasisPoints: bigint;
  readonly receiverMemo: number;
  readonly milestones: readonly Milestone[];
  /** A multi-release contract has flags for each milestone only; here they stay false. */
  readonly flags: { readonly disputed: boolean; readonly released: boolean; readonly resolved: boolean };
  /** Address of the token's contract. */
  readonly token: string;
};

export type Escrow = EscrowState & {
  readonly contractId: string;
  readonly signer: string;
  /** The asset of the token. */
  readonly asset: AssetKey;
  readonly balanceUnits: bigint;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type Distribution = { readonly address: string; readonly units: bigint };

type Of<Name extends string, Arguments = unknown> = { readonly name: Name; readonly caller: string } & Arguments;
type AtMilestone = { readonly index: number };
/** A payout names the address of the provider's fee in the lines where the address is not in the code. */
type Paying = { readonly feesAddress?: string | undefined };
type Distributing = Paying & { readonly distributions: readonly Distribution[] };

/** The calls of a deployed contract. */
export type EscrowCall =
  | Of<'fund_escrow', { readonly expected: EscrowState; readonly units: bigint }>
  | Of<'change_milestone_status', AtMilestone & { readonly status: string; readonly evidence?: string | undefined }>
  | Of<'approve_milestone', AtMilestone>
  | Of<'release_funds', Paying>
  | Of<'release_milestone_funds', AtMilestone & Paying>
  | Of<'dispute_escrow'>
  | Of<'dispute_milestone', AtMilestone>
  | Of<'resolve_dispute', Distributing>
  | Of<'resolve_milestone_dispute', AtMilestone & Distributing>
  | Of<'withdraw_remaining_funds', Distributing>;
