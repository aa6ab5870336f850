import { errorCatalogue } from './catalogue.js';

type Details = Readonly<Record<string, unknown>>;

/**
 * The message of INVALID_STATE names what stands in the way. The status is named last: with an active operation or open milestones
 * it may be one that allows the request.
 */
export function invalidStateMessage(details: Details): string {
  const { operation, incompleteMilestones, escrowStatus, closeReason } = details;
  if (typeof operation === 'string') return `The operation ${operation} is still running; repeat the request when it has ended.`;
  if (Array.isArray(incompleteMilestones)) return `These milestones are not completed: ${shortList(incompleteMilestones)}.`;
  if (escrowStatus === null) return 'There is no escrow.';
  if (typeof escrowStatus === 'string') return `The escrow is ${escrowStatus}, but must be FUNDED.`;
  if (typeof closeReason === 'string') return `The order was closed meanwhile: ${closeReason}.`;
  return statusMessage(details);
}

function statusMessage({ currentStatus, allowedStatuses }: Details): string {
  if (typeof currentStatus !== 'string') return errorCatalogue.INVALID_STATE.message;
  const allowed = Array.isArray(allowedStatuses) ? `, but must be ${allowedStatuses.join(' or ')}` : '';
  return `The status is ${currentStatus}${allowed}.`;
}

const itemsMax = 10;

function shortList(items: readonly unknown[]): string {
  const shown = items.slice(0, itemsMax).join(', ');
  return items.length > itemsMax ? `${shown} and ${items.length - itemsMax} more` : shown;
}
