import type { Context, Instant } from '@holdfast/kernel/context';
import type { DisputeRecord } from '@holdfast/contracts/http';
import { disputeEvidenceAdded } from '@holdfast/contracts/messages';
import type { DisputeId } from '@holdfast/kernel/ids';
import { applyChange, event, originOfRequest } from '@holdfast/sagas';
import { withEvidence } from '../domain/dispute-evidence.js';
import { timeBy } from '../domain/marketplace-clock.js';
import type { Dispute, DisputeParty, Order } from '../domain/order.js';
import { orderKind } from './order-kind.js';
import type { Deps } from './ports.js';
import { disputeRecordIn } from './records.js';
import { requireDispute } from './require-dispute.js';

export type AddDisputeEvidence = {
  readonly id: DisputeId;
  readonly by: DisputeParty;
  readonly text?: string | undefined;
  readonly url?: string | undefined;
};

export function addDisputeEvidence(deps: Deps, input: AddDisputeEvidence, ctx: Context): Promise<DisputeRecord> {
  const { id, by, text = null, url = null } = input;
  /** In the time of the marketplace, which is known once the order is locked. */
  let at = ctx.at;
  const isAdded = ({ dispute }: Order) => dispute?.evidenceEntries.some((entry) => entry.at === at && entry.by === by) === true;
  const whenCommitted = (order: Order) => (isAdded(order) ? disputeRecordIn(order) : undefined);
  return deps.onDispute({ marketplaceId: ctx.caller.marketplaceId, disputeId: id, whenCommitted }, (tx, { order, clock }) => {
    at = timeBy(clock, ctx.at);
    const before = requireDispute(order, id);
    const dispute = withEvidence(before, { text, url, by, at });
    if (dispute === before) return disputeRecordIn(order);
    const change = {
      after: { ...order, dispute },
      events: [event(disputeEvidenceAdded, payloadOf(order, dispute, at))],
      auditEntries: [entryOf(by)],
    };
    return disputeRecordIn(applyChange(tx, orderKind, order, { change, origin: originOfRequest(ctx) }));
  });
}

function payloadOf({ id: orderId }: Order, { id: disputeId, milestoneRef, respondBy }: Dispute, at: Instant) {
  const ofMilestone = milestoneRef === null ? {} : { milestoneRef };
  return { disputeId, orderId, ...ofMilestone, at, ...(respondBy === null ? {} : { dueAt: respondBy }) };
}

/** The audit trail says that there is evidence and whose; what it says stays with the dispute. */
function entryOf(by: DisputeParty) {
  return { action: 'DISPUTE_EVIDENCE_ADDED', before: null, after: { evidenceBy: by }, reports: disputeEvidenceAdded.type };
}
