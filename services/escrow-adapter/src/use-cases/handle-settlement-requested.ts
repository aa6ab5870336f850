import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { Deps } from './ports.js';

/**
 * Stores an intent; an intent worker pays the contract, or one of its milestones, out as decided. Intents on different milestones may run
 * at the same time, one on the whole contract only alone: else both could pay the same milestone. A message that is refused here is
 * redelivered.
 */
export function handleSettlementRequested(
  { intentSubjects, storeIntentOnce }: Deps,
  message: Envelope<Payload<typeof escrowSettlementRequested>>,
): Promise<Published> {
  const { escrowId, milestoneRef } = message.payload;
  const whole = intentSubjects.whole(escrowId);
  const milestones = intentSubjects.milestones(escrowId, milestoneRef);
  return storeIntentOnce(message, 'settle', milestoneRef === undefined ? [whole, milestones] : [milestones, whole]);
}
