import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { MarketplaceId, OrderId, ProjectId, UserId } from '@holdfast/kernel/ids';
import type { Money } from '@holdfast/kernel/money';
import type { Order } from './order.js';

/** Work that its owner wants to pay for through an escrow. */
export type Project = {
  readonly id: ProjectId;
  readonly marketplaceId: MarketplaceId;
  readonly ownerId: UserId;
  readonly title: string;
  readonly description: string;
  readonly budget: Money;
  /** The newest order that pays for it. */
  readonly orderId: OrderId | null;
  readonly canceledAt: Instant | null;
  readonly createdAt: Instant;
};

/** Open again once its order was canceled or refunded. */
export type ProjectStatus = 'open' | 'in_progress' | 'completed' | 'canceled';

/** The order that is paying for the project, or has paid for it. Undefined if another one may. */
export function orderOfProject(order: Order | undefined): Order | undefined {
  const isOver = order?.closeReason === 'CANCELED' || order?.closeReason === 'REFUNDED';
  return isOver ? undefined : order;
}

export function requireNotCanceled({ canceledAt }: Project): void {
  if (canceledAt !== null) throw new AppError('INVALID_STATE', { currentStatus: 'canceled' }, { message: 'Project is canceled' });
}
