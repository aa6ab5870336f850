import type { Instant } from '@holdfast/kernel/context';
import type { Actor, Origin } from '@holdfast/sagas';

/** The actor of changes that were learned from the payment provider. */
const paymentProviderActor: Actor = { type: 'system', id: 'payment-provider' };

/** The actor of changes that the service makes by itself, such as expiry. */
export const serviceActor: Actor = { type: 'system', id: 'payments' };

export function originOfProvider(at: Instant, correlationId: string): Origin {
  return { actor: paymentProviderActor, at, correlationId };
}
