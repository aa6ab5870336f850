import type { Envelope, Payload, userPaymentAccountLinked } from '@holdfast/contracts/messages';
import type { Deps } from './ports.js';

/** Stores the user's account at the payment provider. */
export async function handlePaymentAccountLinked(
  deps: Deps,
  message: Envelope<Payload<typeof userPaymentAccountLinked>>,
): Promise<void> {
  await deps.users.linkPaymentAccount({ ...message.payload, marketplaceId: message.marketplaceId }, message);
}
