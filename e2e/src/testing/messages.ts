import { systemClock } from '@holdfast/kernel/context';
import { orderReserveRequested, type Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory } from '@holdfast/kernel/ids';
import { reserveSaga } from '@holdfast/contracts/sagas';

const clock = systemClock();
const newId = idFactory(clock.epochMs);

/** The command that reserves a buyer's funds for an order. */
export function aReservation(userId: string, amount: string): Envelope {
  const orderId = newId('ord');
  const { type, version, aggregateType } = orderReserveRequested;
  return {
    id: newId('evt'),
    type,
    version,
    occurredAt: clock.now(),
    aggregateType,
    aggregateId: orderId,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'e2e',
    saga: reserveSaga.name,
    sagaRunId: newId('run'),
    payload: { orderId, userId, amount, currency: 'USD' },
  };
}
