import type { balanceReservedDeducted, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';

/** The order's funds were deducted from the buyer's balance. Stores an intent; an intent worker pays them into the contract. */
export function handleReservedDeducted(
  deps: Deps,
  message: Envelope<Payload<typeof balanceReservedDeducted>>,
): Promise<Published> {
  return deps.storeIntentOnce(message, 'fund', [deps.intentSubjects.ofOrder(message.payload.orderId)]);
}
