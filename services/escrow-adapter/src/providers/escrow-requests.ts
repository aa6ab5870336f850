import { formatUnits } from '@holdfast/shared/money';
import { assetOf, type Addresses, type Asset, type Contract } from '../domain/contract.js';
import type { Distribution, Step } from '../domain/steps.js';
import type { StepContract } from '../use-cases/ports.js';

export type ProviderRequest = { readonly path: string; readonly body: Readonly<Record<string, unknown>> };

/** How the provider names the token of a contract. */
export type AssetAddresses = Readonly<Record<Asset, string>>;

/** The buyer approves and releases, the seller delivers and receives, the platform takes its fee and resolves disputes. */
export function deploymentRequest(
  contract: Contract,
  { buyer, seller, platform }: Addresses,
  assets: AssetAddresses,
): ProviderRequest {
  const { type, title, description, milestones, amount } = contract;
  const asset = assetOf(amount.currency);
  const roles = {
    approver: buyer,
    serviceProvider: seller,
    platformAddress: platform,
    releaseSigner: buyer,
    disputeResolver: platform,
  };
  const common = {
    signer: buyer,
    engagementId: contract.orderId,
    title,
    description,
    platformFee: contract.platformFeeBasisPoints / basisPointsPerPercent,
    trustline: { address: assets[asset], symbol: asset },
  };
  const body =
    type === 'single-release'
      ? { roles: { ...roles, receiver: seller }, amount: toNumber(amount.units), milestones: milestones.map(toDescription) }
      : { roles, milestones: milestones.map((of) => ({ ...toDescription(of), amount: toNumber(of.units), receiver: seller })) };
  return { path: `/deployer/${type}`, body: { ...common, ...body } };
}

const basisPointsPerPercent = 100;
const deliveredStatus = 'COMPLETED';

export function stepRequest({ contractId, type, addresses }: StepContract, step: Step): ProviderRequest {
  const { buyer, seller, platform, payer = buyer } = addresses;
  const at = 'index' in step && step.index !== undefined ? { milestoneIndex: String(step.index) } : {};
  const body = { contractId, ...at };
  const path = (name: string): string => `/escrow/${type}/${name}`;
  switch (step.does) {
    case 'fund':
      return { path: path('fund-escrow'), body: { ...body, signer: payer, amount: toNumber(step.units) } };
    case 'complete':
      return { path: path('change-milestone-status'), body: { ...body, newStatus: deliveredStatus, serviceProvider: seller } };
    case 'approve':
      return { path: path('approve-milestone'), body: { ...body, approver: buyer } };
    case 'release':
      return {
        path: path(step.index === undefined ? 'release-funds' : 'release-milestone-funds'),
        body: { ...body, releaseSigner: buyer },
      };
    case 'dispute':
      return { path: path(step.index === undefined ? 'dispute-escrow' : 'dispute-milestone'), body: { ...body, signer: buyer } };
    case 'resolve':
      return {
        path: path(step.index === undefined ? 'resolve-dispute' : 'resolve-milestone-dispute'),
        body: { ...body, disputeResolver: platform, distributions: step.distributions.map(toDistribution(addresses)) },
      };
  }
}

function toDistribution(addresses: Addresses) {
  return ({ to, units }: Distribution) => ({ address: addresses[to], amount: toNumber(units) });
}

function toDescription({ title }: { readonly title: string }): { readonly description: string } {
  return { description: title };
}

/** The provider takes numbers; an order's amount has far fewer digits than they can hold. */
function toNumber(units: bigint): number {
  return Number(formatUnits(units));
}
