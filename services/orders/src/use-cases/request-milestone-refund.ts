import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested } from '@holdfast/contracts/messages';
import { zeroAmount } from '../domain/amounts.js';
import { requireOwnPayout } from '../domain/milestones.js';
import type { OnMilestone } from './change-milestone.js';
import type { Deps } from './ports.js';
import { withMilestoneOf } from './records.js';
import { startSaga } from './start-saga.js';

export type RefundMilestone = OnMilestone & { readonly reason: string };

export async function requestMilestoneRefund(
  deps: Deps,
  { id, ref, reason }: RefundMilestone,
  ctx: Context,
): Promise<OrderWithMilestoneRecord> {
  const record = await startSaga(deps, id, ctx, ({ order }) => {
    const after = requireOwnPayout(order, ref, 'refund');
    const starts = { saga: 'refund-milestone', command: escrowSettlementRequested } as const;
    return { after, events: [], starts, auditEntries: [], reason, fee: zeroAmount(order) };
  });
  return withMilestoneOf(record, ref);
}
