import type { balanceReservedDeducted, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import { askOnce, intentOf } from './ask-once.js';
import type { Deps } from './ports.js';

/** The order's funds have left the buyer's balance: a lane pays them into the contract. */
export function noteReservedDeducted(deps: Deps, message: Envelope<Payload<typeof balanceReservedDeducted>>): Promise<void> {
  return askOnce(deps, message, () => deps.asks.fund(intentOf(message, 'fund'), message.payload.orderId));
}
