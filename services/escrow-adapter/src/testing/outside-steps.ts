import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import type { Step } from '../domain/steps.js';
import type { Role } from '../wallets/ports.js';
import type { TestOrder } from './orders.js';
import { requireEnvelope } from './require-envelope.js';
import type { RunningAdapter } from './running-adapter.js';

export const buyerOf = ({ buyerId }: TestOrder): Role => ({ user: buyerId, marketplaceId: defaultMarketplaceId });
export const sellerOf = ({ sellerId }: TestOrder): Role => ({ user: sellerId, marketplaceId: defaultMarketplaceId });

/** Executes a step without the adapter but with the same keys; returns the transaction's hash. */
export async function doOutside(adapter: RunningAdapter, order: TestOrder, step: Step, role: Role): Promise<string> {
  const { deps } = adapter.first.adapter;
  const contract = await deps.contracts.find(order.escrowId);
  if (contract?.addresses === undefined || contract.contractId === undefined) throw new Error('not deployed');
  const { contractId, type, addresses } = contract;
  const xdr = await deps.provider.buildStep({ contractId, type, addresses }, step, { priority: 0 });
  const { network, sign } = adapter.accounts;
  const submitted = await network.submit(await sign(role, 'release', requireEnvelope(xdr, network.networkPassphrase)));
  if (submitted.status !== 'landed') throw new Error(submitted.status);
  return submitted.hash;
}

export async function releaseOutside(adapter: RunningAdapter, order: TestOrder): Promise<string> {
  await doOutside(adapter, order, { does: 'complete', index: 0 }, sellerOf(order));
  await doOutside(adapter, order, { does: 'approve', index: 0 }, buyerOf(order));
  return doOutside(adapter, order, { does: 'release' }, buyerOf(order));
}

/** Resolves a single-release contract of 100.00 to the buyer. */
export async function refundOutside(adapter: RunningAdapter, order: TestOrder): Promise<string> {
  await doOutside(adapter, order, { does: 'dispute' }, buyerOf(order));
  return doOutside(adapter, order, { does: 'resolve', distributions: [{ to: 'buyer', units: 1_000_000_000n }] }, 'platform');
}
