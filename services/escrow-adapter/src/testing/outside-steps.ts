import { TransactionBuilder } from '@stellar/stellar-sdk';
import type { Step } from '../domain/steps.js';
import type { TestOrder } from './orders.js';
import type { RunningAdapter } from './running-adapter.js';
import { submitOutside } from './submit-outside.js';
import type { Role } from '@holdfast/ledger-network/signing';

export const buyerOf = ({ buyerId }: TestOrder): Role => ({ wallet: buyerId });
export const sellerOf = ({ sellerId }: TestOrder): Role => ({ wallet: sellerId });

/** Executes a step without the adapter but with the same keys; returns the transaction's hash. */
export async function doOutside(adapter: RunningAdapter, order: TestOrder, step: Step, role: Role): Promise<string> {
  const { deps } = adapter.first.adapter;
  const contract = await deps.contracts.find(order.escrowId);
  if (contract?.addresses === undefined || contract.contractId === undefined) throw new Error('not deployed');
  const { contractId, type, addresses, escrowId, marketplaceId } = contract;
  const options = { priority: 0, escrowId, marketplaceId };
  const xdr = await deps.provider.buildStep({ contractId, type, addresses }, step, options);
  const { network, keyOf } = adapter.accounts;
  const transaction = TransactionBuilder.fromXDR(xdr, network.networkPassphrase);
  transaction.sign(keyOf(role));
  return submitOutside(adapter.sandbox, transaction.toXDR());
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
