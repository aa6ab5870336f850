/** A milestone's flags, as the provider reads them from the ledger network. */
export type MilestoneState = {
  readonly isCompleted: boolean;
  readonly isApproved: boolean;
  readonly isDisputed: boolean;
  readonly isReleased: boolean;
  readonly isResolved: boolean;
};

/** A contract's balance and flags. A multi-release contract uses the flags of its milestones only. */
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
