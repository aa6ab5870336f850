import type { Clock } from '@holdfast/kernel/context';
import { balanceCredited, type Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, type MessageId, type UserId } from '@holdfast/kernel/ids';

const userId: UserId = 'usr_01J00000000000000000000000';

/** An event as the ledger publishes it, about 500 bytes. */
export function envelopeOf(id: MessageId, clock: Clock): Envelope {
  const { type, version, aggregateType } = balanceCredited;
  return {
    id,
    type,
    version,
    aggregateType,
    occurredAt: clock.now(),
    aggregateId: userId,
    aggregatePart: 'USD',
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: '5f0c1a52-7d0b-4a53-9d0e-0d9f6a1b2c3d',
    payload: {
      userId,
      amount: '12.50',
      currency: 'USD',
      source: 'manual',
      previousAvailableBalance: '67.50',
      newAvailableBalance: '80.00',
    },
  };
}
