import type { ContractFunction, FundingCall, MilestoneCall, ResolutionCall } from './contract-function.js';
import { approveMilestone } from './functions/approve-milestone.js';
import { changeMilestoneStatus } from './functions/change-milestone-status.js';
import { disputeEscrow } from './functions/dispute-escrow.js';
import { disputeMilestone } from './functions/dispute-milestone.js';
import { fundEscrow } from './functions/fund-escrow.js';
import { newMultiReleaseEscrow, newSingleReleaseEscrow } from './functions/new-escrow.js';
import { releaseFunds, releaseFundsMainnet } from './functions/release-funds.js';
import { releaseMilestoneFunds, releaseMilestoneFundsMainnet } from './functions/release-milestone-funds.js';
import { resolveDispute, resolveDisputeMainnet } from './functions/resolve-dispute.js';
import { resolveMilestoneDispute, resolveMilestoneDisputeMainnet } from './functions/resolve-milestone-dispute.js';
import { withdrawRemainingFunds, withdrawRemainingFundsMainnet } from './functions/withdraw-remaining-funds.js';

/** The function of each step. */
export type ContractFunctions = {
  readonly deploy: ContractFunction;
  readonly fund: ContractFunction<FundingCall>;
  readonly complete: ContractFunction<MilestoneCall>;
  readonly approve: ContractFunction<MilestoneCall>;
  readonly release: ContractFunction<MilestoneCall>;
  readonly dispute: ContractFunction<MilestoneCall>;
  readonly resolve: ContractFunction<ResolutionCall>;
  readonly withdrawRemaining: ContractFunction<ResolutionCall>;
};

const singleV1 = {
  deploy: newSingleReleaseEscrow,
  fund: fundEscrow,
  complete: changeMilestoneStatus,
  approve: approveMilestone,
  release: releaseFunds,
  dispute: disputeEscrow,
  resolve: resolveDispute,
  withdrawRemaining: withdrawRemainingFunds,
} as const satisfies ContractFunctions;

const multiV1 = {
  deploy: newMultiReleaseEscrow,
  fund: fundEscrow,
  complete: changeMilestoneStatus,
  approve: approveMilestone,
  release: releaseMilestoneFunds,
  dispute: disputeMilestone,
  resolve: resolveMilestoneDispute,
  withdrawRemaining: withdrawRemainingFunds,
} as const satisfies ContractFunctions;

/**
 * The contract versions that this service can sign for. A version is its functions and their arguments.
 * The mainnet versions have the address of the provider's fee in their code; the others take it as an argument.
 */
export const contractVersions = {
  'single-v1': singleV1,
  'single-v1-mainnet': {
    ...singleV1,
    release: releaseFundsMainnet,
    resolve: resolveDisputeMainnet,
    withdrawRemaining: withdrawRemainingFundsMainnet,
  },
  'multi-v1': multiV1,
  'multi-v1-mainnet': {
    ...multiV1,
    release: releaseMilestoneFundsMainnet,
    resolve: resolveMilestoneDisputeMainnet,
    withdrawRemaining: withdrawRemainingFundsMainnet,
  },
} as const satisfies Readonly<Record<string, ContractFunctions>>;
