import type { Instant } from '@holdfast/kernel/context';
import type { EscrowId, MarketplaceId, OrderId, UserId } from '@holdfast/kernel/ids';
import type { Currency, Money } from '@holdfast/kernel/money';
import type { ContractStatus } from './contract-states.js';

export const contractTypes = ['single-release', 'multi-release'] as const;
export type ContractType = (typeof contractTypes)[number];

/** Whether the contract is paid out as a whole or milestone by milestone. The latter is always a multi-release contract. */
type ReleaseMode = 'order' | 'milestone';

/** How a milestone was paid out: to the seller, to the buyer, or to both. */
export type SettledMilestone = { readonly index: number; readonly decision: 'RELEASE' | 'REFUND' | 'SPLIT' };

/** Asset on the ledger network. USD amounts are escrowed in USDC, one to one. */
export type Asset = 'USDC' | 'XLM';

export type ContractMilestone = { readonly ref: string; readonly title: string; readonly units: bigint };

/** Addresses of the contract's parties: the buyer approves and releases, the seller delivers, the platform resolves disputes. */
export type Addresses = { readonly buyer: string; readonly seller: string; readonly platform: string };

/** A contract as this service stores it; its terms never change. */
export type Contract = {
  readonly escrowId: EscrowId;
  readonly orderId: OrderId;
  readonly marketplaceId: MarketplaceId;
  readonly type: ContractType;
  readonly releaseMode: ReleaseMode;
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
  /** The dispute was caused or published by this service, so it is not published again. */
  readonly isDisputeKnown: boolean;
  /** Indexes of milestones whose dispute was caused or published by this service. */
  readonly disputesKnown: readonly number[];
  /** Indexes of milestones whose completion was caused or published by this service. */
  readonly milestonesKnown: readonly number[];
  /** The milestones that are paid out, in the release mode `milestone`. */
  readonly milestonesSettled: readonly SettledMilestone[];
  /** Counts the messages that this service has published about the escrow. */
  readonly version: number;
  /** The last ledger with a transaction of this service on the contract; zero before the first one. */
  readonly lastLedger: number;
  readonly createdAt: Instant;
};

export type DeployedContract = Contract & { readonly addresses: Addresses; readonly contractId: string };

export function isDeployed(contract: Contract): contract is DeployedContract {
  return contract.contractId !== undefined && contract.addresses !== undefined;
}

export function assetOf(currency: Currency): Asset {
  return currency === 'XLM' ? 'XLM' : 'USDC';
}
