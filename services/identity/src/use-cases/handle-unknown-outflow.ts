import type { custodyUnknownOutflowFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { Deps } from './ports.js';
import { changeEmergencyStop } from './set-emergency-stop.js';

/** Stops signing and payouts, where the message asks for it. Only a person resumes them; a repeat of the message does not stop again. */
export async function handleUnknownOutflow(
  deps: Deps,
  { id, payload }: Envelope<Payload<typeof custodyUnknownOutflowFound>>,
  ctx: Context,
): Promise<void> {
  if (!payload.stopsPayouts) return;
  const reason = `${payload.amount} ${payload.currency} left the ${payload.place} without a transaction of the platform: ${payload.sourceId}`;
  const stop = { isStopped: true, by: 'escrow-adapter', reason, actorType: 'system' } as const;
  await deps.inTransaction(ctx, async (tx) => {
    if (await tx.recordMessage(id)) await changeEmergencyStop(tx, stop, ctx);
  });
}
