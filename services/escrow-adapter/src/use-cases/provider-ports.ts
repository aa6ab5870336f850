import type { EscrowId, MarketplaceId } from '@holdfast/kernel/ids';
import type { Addresses, Contract, ContractType } from '../domain/contract.js';
import type { Step } from '../domain/steps.js';

/** Priority of a provider call within the call budget, and the signal that aborts it. */
export type CallOptions = { readonly priority: number; readonly signal?: AbortSignal };

/** Marketplaces take turns in the call budget, and the calls of one escrow are admitted together. */
export type BuildOptions = CallOptions & { readonly marketplaceId: MarketplaceId; readonly escrowId: EscrowId };

export type StepAddresses = Addresses & { readonly payer?: string };

/**
 * The escrow provider, which builds transactions. Building has no side effect. It throws ProviderRefused for a final refusal, and
 * SERVICE_UNAVAILABLE or PROVIDER_TIMEOUT for a transient failure. It throws IntentPaused while the call budget is used up, or while the
 * provider does not know the contract yet.
 */
export type EscrowProvider = {
  readonly buildDeployment: (contract: Contract, addresses: Addresses, options: BuildOptions) => Promise<string>;
  readonly buildStep: (contract: StepContract, step: Step, options: BuildOptions) => Promise<string>;
  /**
   * Lets the provider know a landed deployment at once, because it builds only upon contracts that it knows. It may fail, and never
   * throws. Nothing here depends on how soon the provider's index has later transactions of the contract.
   */
  readonly informOfDeployment: (transactionHash: string, options: BuildOptions) => Promise<void>;
};

export type StepContract = { readonly contractId: string; readonly type: ContractType; readonly addresses: StepAddresses };
