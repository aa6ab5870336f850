import { systemClock } from '@holdfast/kernel/context';
import { orderReserveRequested, userCreated, type Envelope, type MessageDeclaration } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { reserveSaga } from '@holdfast/contracts/sagas';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

/** A user.created message of an unknown user. */
export function aNewUser(): Envelope & { readonly aggregateId: UserId } {
  const userId = newId('usr');
  const payload = { userId, externalUserId: userId, type: 'BOTH', status: 'ACTIVE' };
  return { ...envelope(userCreated, payload), aggregateId: userId };
}

/** The command that reserves a buyer's funds for an order. */
export function aReservation(userId: UserId, amount: string): Envelope {
  const orderId = newId('ord');
  const payload = { orderId, userId, amount, currency: 'USD' };
  return { ...envelope(orderReserveRequested, payload), aggregateId: orderId, saga: reserveSaga.name, sagaRunId: newId('run') };
}

function envelope({ type, version, aggregateType }: MessageDeclaration, payload: unknown): Omit<Envelope, 'aggregateId'> {
  const about = { aggregateType, aggregateVersion: 1, marketplaceId: defaultMarketplaceId };
  return { id: newId('evt'), type, version, occurredAt: clock.now(), ...about, correlationId: 'e2e', payload };
}
