import type { Instant } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import { isUnresolved } from './dispute.js';
import { requireRoomForEvidence } from './milestones.js';
import type { Dispute, DisputeEvidence } from './order.js';

/** The same dispute if it has this evidence already. */
export function withEvidence(dispute: Dispute, given: DisputeEvidence): Dispute {
  const { status, respondBy, evidenceEntries } = dispute;
  const allowedStatuses = ['OPEN', 'UNDER_REVIEW'];
  if (!isUnresolved(dispute)) throw new AppError('INVALID_STATE', { currentStatus: status, allowedStatuses });
  if (!isInTime(dispute, given.at))
    throw new AppError(
      'INVALID_STATE',
      { currentStatus: status, allowedStatuses, respondBy },
      { message: 'The time to respond has passed.' },
    );
  const isSame = ({ text, url, by }: DisputeEvidence): boolean => text === given.text && url === given.url && by === given.by;
  if (evidenceEntries.some(isSame)) return dispute;
  requireRoomForEvidence(evidenceEntries);
  return withResponse({ ...dispute, evidenceEntries: [...evidenceEntries, given] }, given);
}

/** The first response of the side that did not open the dispute. It decides whether the opener wins by silence. */
export function withResponse(dispute: Dispute, { by, at }: { readonly by: string; readonly at: Instant }): Dispute {
  const isOtherSide = by === (dispute.openedBy === 'BUYER' ? 'SELLER' : 'BUYER');
  const counts = isOtherSide && isUnresolved(dispute) && isInTime(dispute, at) && dispute.respondedAt === null;
  return counts ? { ...dispute, respondedAt: at } : dispute;
}

function isInTime({ respondBy }: Dispute, at: Instant): boolean {
  return respondBy === null || at < respondBy;
}
