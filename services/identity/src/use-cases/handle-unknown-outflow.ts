import type { custodyUnknownOutflowFound, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { Deps } from './ports.js';
import { setEmergencyStop } from './set-emergency-stop.js';

/** Stops signing and payouts, where the message asks for it. Only a person resumes them. */
export async function handleUnknownOutflow(
  deps: Deps,
  { payload }: Envelope<Payload<typeof custodyUnknownOutflowFound>>,
  ctx: Context,
): Promise<void> {
  if (!payload.stopsPayouts) return;
  const reason = `${payload.amount} ${payload.currency} left the ${payload.place} without a transaction of the platform: ${payload.sourceId}`;
  await setEmergencyStop(deps, { isStopped: true, by: 'escrow-adapter', reason }, ctx);
}
