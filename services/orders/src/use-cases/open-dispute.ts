import type { Context } from '@holdfast/kernel/context';
import type { OpenedDisputeRecord } from '@holdfast/contracts/http';
import { disputeOpened, orderDisputed } from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { type NewAuditEntry, applyChange, event, originOfRequest } from '@holdfast/sagas';
import { openDispute as opened } from '../domain/dispute.js';
import { timeBy } from '../domain/marketplace-clock.js';
import type { DisputeParty, DisputeReason } from '../domain/order.js';
import { statusEntries } from './audit.js';
import { orderKind } from './order-kind.js';
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
  return deps.onOrder(
    { marketplaceId, orderId, createdId: id, whenCommitted: recordOfOpenedDispute },
    (tx, { order, disputeRules, clock }) => {
      const now = timeBy(clock, ctx.at);
      const given = { id, openedBy, reason, evidence: evidence ?? null, rules: disputeRules, now };
      const after = opened(order, given, ctx.at);
      const payload = { disputeId: after.dispute.id, orderId, openedBy, reason, openedAt: ctx.at };
      const events = [
        event(disputeOpened, { ...payload, ...(evidence === undefined ? {} : { evidence: [...evidence] }) }),
        event(orderDisputed, payload),
      ];
      const auditEntries = [openedEntry(input), ...statusEntries(order, [after.status], reason)];
      return recordOfOpenedDispute(
        applyChange(tx, orderKind, order, { change: { after, events, auditEntries }, origin: originOfRequest(ctx) }),
      );
    },
  );
}

export function openedEntry({ openedBy, reason }: Pick<OpenDispute, 'openedBy' | 'reason'>): NewAuditEntry {
  return {
    action: 'DISPUTE_OPENED',
    reason,
    before: null,
    after: { disputeStatus: 'OPEN', openedBy },
    reports: disputeOpened.type,
  };
}
