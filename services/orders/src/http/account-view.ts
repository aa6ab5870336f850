import {
  numberOfUnits,
  type AccountEscrowView,
  type OrderRecord,
  type ProjectView,
  type ReleasedEscrowView,
} from '@holdfast/contracts/http';
import type { ProjectId } from '@holdfast/kernel/ids';
import type { ListedProject } from '../use-cases/ports.js';

export function viewOfProject({ id, title, description, budget, status, createdAt }: ListedProject): ProjectView {
  return {
    id,
    title,
    description,
    budget: numberOfUnits(budget.units),
    currency: budget.currency,
    status,
    created_at: createdAt,
  };
}

export function viewOfEscrow(order: OrderRecord, projectId: ProjectId): AccountEscrowView {
  const { escrow, buyerId, sellerId, amount, currency, createdAt } = order;
  if (escrow === null) throw new Error(`order ${order.id} has no escrow`);
  const { id: escrow_id, releasedAt } = escrow;
  return {
    escrow_id,
    project_id: projectId,
    buyer_id: buyerId,
    seller_id: sellerId,
    amount: Number(amount),
    currency,
    created_at: createdAt,
    ...(releasedAt === null ? { status: 'funded' } : { status: 'released', ...releaseOf(order, releasedAt) }),
  };
}

export function viewOfReleasedEscrow(order: OrderRecord): ReleasedEscrowView {
  const { escrow } = order;
  const releasedAt = escrow?.releasedAt ?? null;
  if (escrow === null || releasedAt === null) throw new Error(`order ${order.id} is not released`);
  return { escrow_id: escrow.id, status: 'released', ...releaseOf(order, releasedAt) };
}

/** After a split only the seller's part was released. */
function releaseOf({ amount, dispute }: OrderRecord, releasedAt: string) {
  return { released_amount: Number(dispute?.releaseAmount ?? amount), released_at: releasedAt };
}
