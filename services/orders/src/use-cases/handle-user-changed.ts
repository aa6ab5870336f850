import type { Envelope, Payload, userChanged } from '@holdfast/contracts/messages';
import type { Context } from '@holdfast/kernel/context';
import type { Deps } from './ports.js';

/** A user who is active again no longer holds the timers of their orders. If this process dies in between, they are looked at within a minute. */
export async function handleUserChanged(deps: Deps, message: Envelope<Payload<typeof userChanged>>, ctx: Context): Promise<void> {
  await deps.users.handleUserChanged(message, ctx);
  const { userId, status } = message.payload;
  if (status === 'ACTIVE') await deps.timers.wakeOfUser(userId);
}
