import type { balanceReservedDeducted, Envelope, Payload } from '@holdfast/shared/contracts/messages';
import { askOnce, intentOf } from './ask-once.js';
import type { Deps } from './ports.js';

/** The order's funds have left the buyer's balance: a lane pays them into the contract. */
export function noteReservedDeducted(deps: Deps, message: Envelope<Payload<typeof balanceReservedDeducted>>): Promise<void> {
  const { orderId } = message.payload;
  return askOnce(deps, message, async (tx) => {
    const contract = await deps.contracts.findOfOrder(orderId, tx);
    if (contract === undefined) throw new Error(`Order ${orderId} has no contract to be funded.`);
    deps.intents.add(tx, intentOf(message, 'fund', contract.escrowId));
  });
}
