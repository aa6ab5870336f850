import type { Envelope, Payload, userLedgerLinked } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Stores the address of the user's account on the ledger network. */
export async function handleLedgerLinked(deps: Deps, message: Envelope<Payload<typeof userLedgerLinked>>): Promise<void> {
  await deps.users.linkLedger({ ...message.payload, marketplaceId: message.marketplaceId }, message);
}
