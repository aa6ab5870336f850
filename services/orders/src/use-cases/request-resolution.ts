import type { Context } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { escrowSettlementRequested, orderRefundRequested, orderReleaseRequested } from '@holdfast/contracts/messages';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { event } from '@holdfast/sagas';
import { startResolution } from '../domain/dispute.js';
import type { DisputeDecision, Order } from '../domain/order.js';
import { statusEntries } from './audit.js';
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
      const { order } = locked;
      const { after, resolution } = startResolution(order, requireDispute(order, input.id), requestedResolution(order, input));
      const payload = { orderId: order.id, requestedBy: ctx.caller.id, requestedAt: ctx.at };
      const requested = after.status === 'REFUND_REQUESTED' ? orderRefundRequested : orderReleaseRequested;
      const start: SagaStart = {
        after,
        events: [event(requested, payload)],
        starts: { saga: 'resolve-dispute', command: escrowSettlementRequested },
        auditEntries: statusEntries(order, [after.status], input.note),
        resolution,
      };
      startRequested(deps, tx, { runId, locked, start }, ctx);
      return order.id;
    });
  const record = await waitForRun(deps, { runId, start }, ctx);
  if (record.dispute === null) throw new Error(`order ${record.id} has lost its dispute`);
  return record.dispute;
}

function requestedResolution({ amount: { currency } }: Order, { decision, releaseAmount, refundAmount, note }: ResolveDispute) {
  const partOf = (text: string | undefined) => (text === undefined ? undefined : parseMoney(text, currency));
  return { decision, release: partOf(releaseAmount), refund: partOf(refundAmount), note: note ?? null };
}
