import type { Context } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { orderRefundRequested, orderReleaseRequested } from '@holdfast/contracts/messages';
import type { DisputeId, OrderId } from '@holdfast/kernel/ids';
import { parseMoney } from '@holdfast/kernel/money';
import { startResolution } from '../domain/dispute.js';
import type { DisputeDecision, Order } from '../domain/order.js';
import { statusEntries } from './audit.js';
import { event } from './apply-change.js';
import { requireNotStopped } from './require-not-stopped.js';
import { requireDispute } from './require-order.js';
import { originOfRequest } from './origin.js';
import { startRun } from './start-run.js';
import { waitForRun } from './start-saga.js';
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
      const { order, dispute, isStopped } = requireDispute(locked, input.id);
      const { after, resolution } = startResolution(order, dispute, requestedResolution(order, input));
      requireNotStopped(deps, 'resolve-dispute', { isStopped });
      const payload = { orderId: order.id, requestedBy: ctx.caller.id, requestedAt: ctx.at };
      const requested = after.status === 'REFUND_REQUESTED' ? orderRefundRequested : orderReleaseRequested;
      const auditEntries = statusEntries(order, [after.status], input.note);
      const sagaStart = { after, events: [event(requested, payload)], auditEntries, resolution };
      const run = { runId, saga: 'resolve-dispute' } as const;
      startRun(tx, { ...run, order, sagaStart }, originOfRequest(ctx, run));
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
