import type { Context } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested } from '@holdfast/contracts/messages';
import { requireOwnPayout } from '../domain/milestones.js';
import type { Order, PayoutCause } from '../domain/order.js';
import { allToSeller } from '../domain/payout-shares.js';
import type { OnMilestone } from './change-milestone.js';
import type { Deps } from './ports.js';
import { withMilestoneOf } from './records.js';
import { startSaga, type SagaStart } from './start-saga.js';

export async function requestMilestoneRelease(
  deps: Deps,
  { id, ref }: OnMilestone,
  ctx: Context,
): Promise<OrderWithMilestoneRecord> {
  return withMilestoneOf(await startSaga(deps, id, ctx, ({ order }) => milestoneReleaseStart(order, ref)), ref);
}

/** The milestone keeps its status until the contract has paid. Its fee is fixed now. */
export function milestoneReleaseStart(
  order: Order,
  ref: string,
  cause: PayoutCause | null = null,
): SagaStart<'release-milestone'> {
  const after = requireOwnPayout(order, ref, 'release');
  const { fee } = allToSeller(after);
  const starts = { saga: 'release-milestone', command: escrowSettlementRequested } as const;
  return { after, events: [], starts, auditEntries: [], cause, fee };
}
