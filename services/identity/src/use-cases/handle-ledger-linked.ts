import type { Envelope, Payload, userLedgerLinked } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Stores the address of the wallet that was created for the user. Wallets that users link are withdrawal targets only. */
export async function handleLedgerLinked(deps: Deps, message: Envelope<Payload<typeof userLedgerLinked>>): Promise<void> {
  const { walletType, ...linked } = message.payload;
  if (walletType === 'INVISIBLE') await deps.users.linkLedger({ ...linked, marketplaceId: message.marketplaceId }, message);
}
