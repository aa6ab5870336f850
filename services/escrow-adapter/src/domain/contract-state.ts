/** How far a milestone is, as the provider reads it from the ledger network. */
export type MilestoneState = {
  readonly isCompleted: boolean;
  readonly isApproved: boolean;
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
  readonly isResolved: boolean;
};

/** How far a contract is. On a multi-release contract the flags of its milestones count, and its own say nothing. */
export type ContractState = {
  readonly balanceUnits: bigint;
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
  readonly isResolved: boolean;
  readonly milestones: readonly MilestoneState[];
};

export function isPaidOut({ isReleased, isResolved }: { readonly isReleased: boolean; readonly isResolved: boolean }): boolean {
  return isReleased || isResolved;
}
