import { auditRecorded } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { OrderId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import type { Tx } from '@holdfast/postgres';
import { assetOf, isDeployed, type Asset, type DeployedContract } from '../domain/contract.js';
import { intentKinds, type Deps } from './ports.js';
import { readState } from './read-state.js';
import type { RemainingWithdrawal } from './withdraw-remaining.js';

export type RequestRemainingWithdrawal = { readonly orderId: OrderId; readonly by: string; readonly reason: string };

export type RemainingFunds = {
  readonly status: 'REQUESTED' | 'UNDER_WAY' | 'NOTHING_LEFT';
  readonly amount: string;
  readonly asset: Asset;
};

/**
 * An operator collects what strangers have paid into the contract of an order. Only a contract that has paid out every milestone holds
 * nothing else, so all others are refused. The money goes to the platform's own account only.
 */
export async function requestRemainingWithdrawal(
  deps: Deps,
  { orderId, by, reason }: RequestRemainingWithdrawal,
  ctx: Context,
): Promise<RemainingFunds> {
  const contract = await deps.contracts.findOfOrder(orderId);
  if (contract === undefined) throw new AppError('ORDER_NOT_FOUND', { orderId });
  if (contract.type !== 'multi-release') refuse('only a contract with milestones lets the platform withdraw what is left');
  if (contract.status !== 'SETTLED' || !isDeployed(contract)) refuse('the contract has not paid out every milestone');
  // The network is read before the transaction begins.
  const { balanceUnits } = await readState(deps, contract, {});
  const left = { amount: formatUnits(balanceUnits), asset: assetOf(contract.amount.currency) };
  if (balanceUnits === 0n) return { status: 'NOTHING_LEFT', ...left };
  const isStored = await deps.inTransaction((tx) =>
    storeOnce(deps, tx, { contract, withdrawal: { by, reason }, amount: left.amount, ctx }),
  );
  return { status: isStored ? 'REQUESTED' : 'UNDER_WAY', ...left };
}

function refuse(reason: string): never {
  throw new AppError('INVALID_STATE', { reason }, { message: `Nothing can be withdrawn from the contract: ${reason}.` });
}

type Request = {
  readonly contract: DeployedContract;
  readonly withdrawal: RemainingWithdrawal;
  readonly amount: string;
  readonly ctx: Context;
};

/** False if a withdrawal from the contract is open. The lock keeps two operators from storing one each. */
async function storeOnce(deps: Deps, tx: Tx, { contract, withdrawal, amount, ctx }: Request): Promise<boolean> {
  const { escrowId, orderId, marketplaceId } = contract;
  await deps.contracts.lock(tx, escrowId);
  if ((await deps.intents.findOpenParts(tx, escrowId)).length > 0) return false;
  const id = deps.newId('evt');
  deps.storeIntent(tx, {
    id,
    kind: 'withdraw-remaining',
    subject: escrowId,
    priority: intentKinds['withdraw-remaining'],
    marketplaceId,
    correlationId: ctx.requestId,
    requestedAt: ctx.at,
    payload: withdrawal,
  });
  await deps.publish(tx, {
    id: deps.newId('evt'),
    declaration: auditRecorded,
    escrowId,
    marketplaceId,
    correlationId: ctx.requestId,
    payload: {
      action: 'REMAINING_FUNDS_REQUESTED',
      resourceType: 'Order',
      resourceId: orderId,
      relatedIds: [escrowId],
      actorType: 'operator',
      actorId: withdrawal.by,
      result: 'SUCCESS',
      reason: withdrawal.reason,
      before: null,
      after: { amount, contractId: contract.contractId },
      recordedAt: ctx.at,
    },
  });
  return true;
}
