import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/shared/contracts/messages';
import { askOnce, intentOf } from './ask-once.js';
import type { Deps } from './ports.js';

/** A contract shall be paid out: a lane carries the decision out. */
export function noteSettlementRequested(deps: Deps, message: Envelope<Payload<typeof escrowSettlementRequested>>): Promise<void> {
  return askOnce(deps, message, () => deps.asks.settle(intentOf(message, 'settle'), message.payload.escrowId));
}
