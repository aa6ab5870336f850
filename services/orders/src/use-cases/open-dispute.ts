import type { Context } from '@holdfast/kernel/context';
import type { OpenedDisputeRecord } from '@holdfast/contracts/http';
import { disputeOpened, orderDisputed } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { openDispute as opened } from '../domain/dispute.js';
import type { DisputeParty, DisputeReason } from '../domain/order.js';
import { statusEntries, type NewAuditEntry } from './audit.js';
import { applyChange, event } from './apply-change.js';
import { requireOrder } from './require-order.js';
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
  return deps.onOrder({ marketplaceId, orderId, createdId: id, whenCommitted: recordOfOpenedDispute }, (tx, locked) => {
    const { order } = requireOrder(locked, orderId);
    const after = opened(order, { id, openedBy, reason, evidence: evidence ?? null }, ctx.at);
    const payload = { disputeId: after.dispute.id, orderId, openedBy, reason, openedAt: ctx.at };
    const events = [
      event(disputeOpened, { ...payload, ...(evidence === undefined ? {} : { evidence: [...evidence] }) }),
      event(orderDisputed, payload),
    ];
    const auditEntries = [openedEntry(input), ...statusEntries(order, [after.status], reason)];
    return recordOfOpenedDispute(applyChange(tx, order, { after, events, auditEntries }, originOfRequest(ctx)));
  });
}

function openedEntry({ openedBy, reason }: OpenDispute): NewAuditEntry {
  return { action: 'DISPUTE_OPENED', reason, before: null, after: { disputeStatus: 'OPEN', openedBy } };
}
