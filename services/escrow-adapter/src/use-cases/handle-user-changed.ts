import type { Context } from '@holdfast/kernel/context';
import { predecessorEventId, type Envelope, type Payload, type userCreated } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Stores the user's new version and prepares its wallet, so that the first order does not wait for it. */
export async function handleUserChanged(deps: Deps, message: Envelope<Payload<typeof userCreated>>, ctx: Context): Promise<void> {
  await deps.users.handleUserChanged(message, ctx);
  const { payload, marketplaceId } = message;
  deps.prepareWallet({ userId: payload.userId, marketplaceId, afterEventId: predecessorEventId(message) });
}
