import type { Context } from '@holdfast/kernel/context';
import type { Envelope, escrowSettlementFailed, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import { escrowOf } from '../domain/escrow.js';
import { settlementFailed } from '../domain/settlement.js';
import type { SagaName } from '../domain/order.js';
import { handleReply } from './handle-reply.js';
import { failureEntry } from './audit.js';
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

/** Nothing was paid out, so the order returns to its earlier status. The message is ignored if the contract has already paid. */
export function handleSettlementFailed(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementFailed>>,
  ctx: Context,
): Promise<Published> {
  const { orderId, reason, isDisputed } = message.payload;
  return handleReply(deps, { message, orderId }, ctx, (order) => {
    if (order.activeRun === null || hasPaidOut(order)) return undefined;
    const after = settlementFailed(order, { isDisputed });
    const entry = failureEntry(actions[order.activeRun.saga] ?? 'SETTLEMENT_FAILED', order, after, reason);
    return {
      after,
      events: [],
      auditEntries: [{ ...entry, after: { ...entry.after, escrowStatus: escrowOf(after).status } }],
      failure: { code: 'INTERNAL_ERROR', details: { reason, orderStatus: after.status } },
    };
  });
}
