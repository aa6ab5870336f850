import type { Envelope, Payload, userCreated } from '@holdfast/shared/contracts/messages';
import type { Context } from '@holdfast/shared/context';
import type { Deps } from './ports.js';

/** A user was created or changed: balances exist for it from now on, and its status counts. */
export async function noteUser(deps: Deps, message: Envelope<Payload<typeof userCreated>>, ctx: Context): Promise<void> {
  const { userId, status } = message.payload;
  await deps.users.hear(
    { id: userId, marketplaceId: message.marketplaceId, status, version: message.aggregateVersion, heardAt: ctx.at },
    message,
  );
}
