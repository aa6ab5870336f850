import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowSettlementFailed, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { escrowOf } from '../domain/escrow.js';
import { isPaidByMilestones } from '../domain/milestones.js';
import { settledByMilestones, settlementFailed } from '../domain/settlement.js';
import type { SagaName } from '../domain/order.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
import { closedEvent } from './order-events.js';
import { hasPaidOut } from './order-kind.js';
import type { Deps } from './ports.js';

const actions: Partial<Record<SagaName, string>> = {
  release: 'RELEASE_FAILED',
  refund: 'REFUND_FAILED',
  'resolve-dispute': 'DISPUTE_RESOLVE_FAILED',
  'release-milestone': 'MILESTONE_RELEASE_FAILED',
  'refund-milestone': 'MILESTONE_REFUND_FAILED',
  'resolve-milestone-dispute': 'DISPUTE_RESOLVE_FAILED',
};

/**
 * Nothing was paid out, so the order returns to its earlier status. It is closed if others have paid its last milestone meanwhile.
 * The message is ignored if the contract has already paid.
 */
export function handleSettlementFailed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementFailed>>,
  ctx: Context,
): Promise<Published<'order.closed'>> {
  const { orderId, reason, isDisputed } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    if (order.activeRun === null || hasPaidOut(order)) return undefined;
    const reverted = settlementFailed(order, { isDisputed });
    const isOver = order.focus === null && isPaidByMilestones(order);
    const after = isOver ? settledByMilestones(reverted, ctx.at) : reverted;
    const entry = failureEntry(actions[order.activeRun.saga] ?? 'SETTLEMENT_FAILED', order, after, reason);
    return {
      after,
      events: isOver ? closedEvent(after, ctx.at) : [],
      auditEntries: [{ ...entry, after: { ...entry.after, escrowStatus: escrowOf(after).status } }],
      failure: { code: 'INTERNAL_ERROR', details: { reason, orderStatus: after.status } },
    };
  });
}
