import type { Envelope, Payload, userLedgerLinked } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** The user has an account on the ledger network: from now on its record shows the address. */
export async function handleLedgerLinked(deps: Deps, message: Envelope<Payload<typeof userLedgerLinked>>): Promise<void> {
  await deps.users.linkLedger({ ...message.payload, marketplaceId: message.marketplaceId }, message);
}
