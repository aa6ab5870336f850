import type { Instant } from '@holdfast/kernel/context';
import type { EscrowId, MarketplaceId, OrderId, UserId } from '@holdfast/kernel/ids';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { ContractStatus } from './contract-states.js';

export const contractTypes = ['single-release', 'multi-release'] as const;
export type ContractType = (typeof contractTypes)[number];

/** What an asset is called where it lies. Dollars are escrowed in USDC, one to one. */
export type Asset = 'USDC' | 'XLM';

export type ContractMilestone = { readonly ref: string; readonly title: string; readonly units: bigint };

/** Who has a role in the contract, by address: the buyer approves and releases, the seller delivers, the platform resolves. */
export type Addresses = { readonly buyer: string; readonly seller: string; readonly platform: string };

/** A contract as this service knows it; its terms never change. */
export type Contract = {
  readonly escrowId: EscrowId;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly type: ContractType;
  readonly amount: Money;
  readonly buyerId: UserId;
  readonly sellerId: UserId;
  readonly title: string;
  readonly description: string;
  readonly platformFeeBasisPoints: number;
  readonly milestones: readonly ContractMilestone[];
  readonly status: ContractStatus;
  readonly addresses?: Addresses;
  readonly contractId?: string;
  readonly isDisputeKnown: boolean;
  /** Indexes of milestones whose completion is no news. */
  readonly milestonesKnown: readonly number[];
  /** Counts what was told of it. */
  readonly version: number;
  readonly createdAt: Instant;
};

/** A contract that is on the ledger network. */
export type DeployedContract = Contract & { readonly addresses: Addresses; readonly contractId: string };

export function isDeployed(contract: Contract): contract is DeployedContract {
  return contract.contractId !== undefined && contract.addresses !== undefined;
}

export function assetOf(currency: Currency): Asset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}
