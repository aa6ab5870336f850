import type { custodyRecordQuarantined, Envelope, Payload } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import { quarantinedRecord } from '../domain/network-cases.js';
import { openCase } from './open-case.js';
import type { Deps } from './ports.js';

/** Opens a case about a record of the ledger network that a person has to look at. */
export function handleRecordQuarantined(
  deps: Deps,
  message: Envelope<Payload<typeof custodyRecordQuarantined>>,
  ctx: Context,
): Promise<void> {
  const { marketplaceId, payload } = message;
  return deps.onMessage(message, async (tx) => {
    await openCase(tx, { ...quarantinedRecord(payload), marketplaceId }, ctx);
  });
}
