import type { Context } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderRefundRequested, orderReleaseRequested } from '@holdfast/contracts/messages';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { event } from '@holdfast/sagas';
import { startResolution } from '../domain/dispute.js';
import type { DisputeDecision, Order, Resolution } from '../domain/order.js';
import { sharesOfResolution } from '../domain/payout-shares.js';
import { statusEntries } from './audit.js';
import { getDispute } from './get-dispute.js';
import { disputeRecordIn } from './records.js';
import { requireDispute } from './require-dispute.js';
import { startRequested, waitForRun, type SagaStart } from './start-saga.js';
import type { Deps, DisputeKey } from './ports.js';

export type ResolveDispute = {
  readonly id: DisputeId;
  readonly decision: DisputeDecision;
  readonly releaseAmount?: string | undefined;
  readonly refundAmount?: string | undefined;
  readonly note?: string | undefined;
};

/** The dispute stays UNDER_REVIEW until the money has moved as decided. */
export async function requestResolution(deps: Deps, input: ResolveDispute, ctx: Context): Promise<DisputeRecord> {
  const { marketplaceId } = ctx.caller;
  const runId = deps.newId('run');
  const key: DisputeKey<OrderId> = { marketplaceId, disputeId: input.id, createdId: runId, whenCommitted: ({ id }) => id };
  const start = () =>
    deps.onDispute(key, (tx, locked) => {
      startRequested(deps, tx, { runId, locked, start: resolutionStart(locked.order, input, ctx) }, ctx);
      return locked.order.id;
    });
  await waitForRun(deps, { runId, start }, ctx);
  return disputeRecordIn(await getDispute(deps, input, ctx));
}

/** The order is focused on the milestone that the dispute is about, if it is about one. */
export function resolutionStart(
  order: Order,
  input: ResolveDispute,
  ctx: Context,
): SagaStart & { readonly resolution: Resolution } {
  const { after, resolution } = startResolution(order, requireDispute(order, input.id), requestedResolution(order, input));
  const start = order.focus === null ? wholeStart(order, after, input, ctx) : milestoneStart(after, resolution);
  return { ...start, resolution };
}

function wholeStart(before: Order, after: Order, { note }: ResolveDispute, ctx: Context): SagaStart<'resolve-dispute'> {
  const payload = { orderId: before.id, requestedBy: ctx.caller.id, requestedAt: ctx.at };
  const requested = after.status === 'REFUND_REQUESTED' ? orderRefundRequested : orderReleaseRequested;
  return {
    after,
    events: [event(requested, payload)],
    starts: { saga: 'resolve-dispute', command: escrowSettlementRequested },
    auditEntries: statusEntries(before, [after.status], note),
  };
}

/** The milestone keeps its status until the contract has paid. Its fee is fixed now. */
function milestoneStart(after: Order, resolution: Resolution): SagaStart<'resolve-milestone-dispute'> {
  const { fee } = sharesOfResolution(after, resolution);
  const starts = { saga: 'resolve-milestone-dispute', command: escrowSettlementRequested } as const;
  return { after, events: [], starts, auditEntries: [], cause: 'dispute', fee };
}

function requestedResolution({ amount: { currency } }: Order, { decision, releaseAmount, refundAmount, note }: ResolveDispute) {
  const partOf = (text: string | undefined) => (text === undefined ? undefined : parseMoney(text, currency));
  return { decision, release: partOf(releaseAmount), refund: partOf(refundAmount), note: note ?? null };
}
