import { disputeOpened, disputeOverdue, disputeResolved } from '@holdfast/contracts/messages';
import type { CountedDispute, CountedEvent, SummaryChanges } from './ports.js';

type Changes = Pick<SummaryChanges, 'opened' | 'overdueDisputeIds' | 'resolvedDisputeIds'>;

/** A dispute that the batch opens and resolves is in none of the lists. */
export function disputesIn(events: readonly CountedEvent[]): Changes {
  const opened = new Map<string, CountedDispute>();
  const [overdue, resolved] = [new Set<string>(), new Set<string>()];
  for (const { eventType, payload, marketplaceId } of events) {
    const disputeId = String(payload['disputeId']);
    if (eventType === disputeOpened.type) opened.set(disputeId, { disputeId, marketplaceId, isOverdue: false });
    if (eventType === disputeOverdue.type) {
      const known = opened.get(disputeId);
      if (known === undefined) overdue.add(disputeId);
      else opened.set(disputeId, { ...known, isOverdue: true });
    }
    if (eventType === disputeResolved.type && !opened.delete(disputeId)) resolved.add(disputeId);
  }
  return {
    opened: [...opened.values()],
    overdueDisputeIds: [...overdue].filter((disputeId) => !resolved.has(disputeId)),
    resolvedDisputeIds: [...resolved],
  };
}
