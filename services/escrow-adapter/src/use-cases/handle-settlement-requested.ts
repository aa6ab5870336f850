import type { Envelope, escrowSettlementRequested, Payload } from '@holdfast/contracts/messages';
import type { Published } from '@holdfast/contracts/sagas';
import type { IntentSubject } from '@holdfast/intents';
import type { EscrowId } from '@holdfast/kernel/ids';
import type { Tx } from '@holdfast/postgres';
import type { Contract } from '../domain/contract.js';
import type { Deps } from './ports.js';
import { subjectOf } from './require-contract.js';

/** Stores an intent; an intent worker pays the contract, or one of its milestones, out as decided. */
export function handleSettlementRequested(
  deps: Deps,
  message: Envelope<Payload<typeof escrowSettlementRequested>>,
): Promise<Published> {
  const { escrowId, milestoneRef } = message.payload;
  return deps.storeIntentOnce(message, 'settle', async (tx) => {
    const contract = await deps.contracts.require(tx, escrowId);
    return contract.releaseMode === 'order' ? subjectOf(contract) : milestoneSubject(deps, tx, escrowId, milestoneRef);
  });
}

/**
 * Intents on different milestones may run at the same time, one on the whole contract only alone: else both could pay the same
 * milestone. The lock keeps others from storing one meanwhile. A message that is refused here is redelivered.
 */
async function milestoneSubject(
  { contracts, intents }: Deps,
  tx: Tx,
  escrowId: EscrowId,
  milestoneRef: string | undefined,
): Promise<IntentSubject<Contract>> {
  const contract = await contracts.lock(tx, escrowId);
  const open = await intents.findOpenParts(tx, escrowId);
  const isExcluded = open.some((part) => part === undefined || milestoneRef === undefined || part === milestoneRef);
  if (isExcluded) throw new Error(`Contract ${escrowId} has an open intent on the same milestones.`);
  return { ...subjectOf(contract), ...(milestoneRef === undefined ? {} : { part: milestoneRef }) };
}
