import type { Context } from '@holdfast/shared/context';
import type { OpenedDisputeRecord } from '@holdfast/shared/contracts/http';
import { disputeOpened, orderDisputed } from '@holdfast/shared/contracts/messages';
import type { OrderId } from '@holdfast/shared/ids';
import { openDispute as opened } from '../domain/dispute.js';
import type { DisputeParty, DisputeReason } from '../domain/order.js';
import { entered } from './audit.js';
import { commit, event } from './change.js';
import { heldOrder } from './held.js';
import { originOfRequest } from './origin.js';
import type { Deps } from './ports.js';
import { recordOfOpenedDispute } from './records.js';

export type OpenDispute = {
  readonly orderId: OrderId;
  readonly openedBy: DisputeParty;
  readonly reason: DisputeReason;
  readonly evidence?: readonly string[] | undefined;
};

export function openDispute(deps: Deps, input: OpenDispute, ctx: Context): Promise<OpenedDisputeRecord> {
  const { orderId, openedBy, reason, evidence } = input;
  const { marketplaceId } = ctx.caller;
  const id = deps.newId('dsp');
  return deps.onOrder({ marketplaceId, orderId, creates: id, whenCommitted: recordOfOpenedDispute }, (tx, held) => {
    const { order } = heldOrder(held, orderId);
    const after = opened(order, { id, openedBy, reason, evidence: evidence ?? null }, ctx.at);
    const told = { disputeId: after.dispute.id, orderId, openedBy, reason, openedAt: ctx.at };
    const events = [
      event(disputeOpened, { ...told, ...(evidence === undefined ? {} : { evidence: [...evidence] }) }),
      event(orderDisputed, told),
    ];
    const audits = entered(order, [after.status], reason);
    return recordOfOpenedDispute(commit(tx, order, { after, events, audits }, originOfRequest(ctx)));
  });
}
