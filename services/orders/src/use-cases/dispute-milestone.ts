import type { Context, Instant } from '@holdfast/kernel/context';
import type { OrderWithMilestoneRecord } from '@holdfast/contracts/http';
import { disputeOpened, milestoneDisputed } from '@holdfast/contracts/messages';
import { applyChange, event, originOfRequest } from '@holdfast/sagas';
import { openMilestoneDispute } from '../domain/dispute.js';
import { timeBy } from '../domain/marketplace-clock.js';
import type { DisputeEvidence, DisputeParty, DisputeReason, Order } from '../domain/order.js';
import type { OnMilestone } from './change-milestone.js';
import { describedChange } from './milestone-events.js';
import { openedEntry } from './open-dispute.js';
import { orderKind } from './order-kind.js';
import type { Deps } from './ports.js';
import { recordWithMilestone } from './records.js';

export type DisputeMilestone = OnMilestone & {
  readonly openedBy: DisputeParty;
  readonly reason: DisputeReason;
  readonly evidence?: { readonly text?: string | undefined; readonly url?: string | undefined } | undefined;
};

/** Nothing is sent to the ledger network; the other milestones continue. */
export function disputeMilestone(deps: Deps, input: DisputeMilestone, ctx: Context): Promise<OrderWithMilestoneRecord> {
  const { id: orderId, ref, openedBy, reason } = input;
  const id = deps.newId('dsp');
  const whenCommitted = (order: Order) => recordWithMilestone(order, ref);
  const key = { marketplaceId: ctx.caller.marketplaceId, orderId, createdId: id, whenCommitted };
  return deps.onOrder(key, (tx, { order, disputeRules, clock }) => {
    const now = timeBy(clock, ctx.at);
    const evidenceEntries = entriesOf(input, now);
    const given = { id, openedBy, reason, evidence: null, rules: disputeRules, now, evidenceEntries };
    const after = openMilestoneDispute(order, ref, given, ctx.at);
    const described = { ref, action: 'MILESTONE_DISPUTED', declaration: milestoneDisputed, reason, at: now };
    const { events, auditEntries } = describedChange(order, after, described);
    const payload = { disputeId: id, orderId, openedBy, reason, openedAt: ctx.at, milestoneRef: ref };
    const change = {
      after,
      events: [event(disputeOpened, payload), ...events],
      auditEntries: [openedEntry({ openedBy, reason }), ...auditEntries],
    };
    return recordWithMilestone(applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) }), ref);
  });
}

/** What the opener hands in with the dispute. */
function entriesOf({ evidence, openedBy }: DisputeMilestone, at: Instant): readonly DisputeEvidence[] {
  return evidence === undefined ? [] : [{ text: evidence.text ?? null, url: evidence.url ?? null, by: openedBy, at }];
}
