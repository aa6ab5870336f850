import type { Payload, userCreated } from '@holdfast/contracts/messages';
import type { User } from '../domain/user.js';
import type { OutgoingMessage } from './ports.js';

/** user.created and user.changed have the same payload. */
export function userMessage(user: User): OutgoingMessage<Payload<typeof userCreated>> {
  return {
    aggregateId: user.id,
    aggregateVersion: user.version,
    marketplaceId: user.marketplaceId,
    payload: payloadOf(user),
  };
}

function payloadOf({ id, externalUserId, email, type, status }: User): Payload<typeof userCreated> {
  return { userId: id, externalUserId, type, status, ...(email === null ? {} : { email }) };
}
