import { allSagas, type ProviderOperation } from '@holdfast/contracts/sagas';
import type { Ending, Step } from './order-life.js';

/** The request that starts a saga on an order, and how the order ends afterwards. */
export type SagaRequest = { readonly saga: string; readonly during: Step; readonly ending: Ending };

/** A provider operation of a saga step, and the request that leads to it. */
export type ProviderCall = SagaRequest & { readonly step: string; readonly operation: ProviderOperation };

/** The sagas of an order. */
export const startedByOrders = allSagas.filter(({ steps }) => steps['start']?.by === 'orders');

/** Every provider operation of every saga of an order, from the saga tables. */
export const providerCalls: readonly ProviderCall[] = startedByOrders.flatMap(({ name, steps }) =>
  Object.entries(steps).flatMap(([step, { calls = [] }]) =>
    calls.map((operation) => ({ ...requestOf(name, operation), step, operation })),
  ),
);

/** Every request that starts a saga on an order; those of provider calls differ where the saga depends on a decision. */
export const sagaRequests: readonly SagaRequest[] = startedByOrders.flatMap(({ name }) => {
  const ofCalls = providerCalls.filter(({ saga }) => saga === name);
  if (ofCalls.length === 0) return [requestOf(name)];
  const requests = new Map(ofCalls.map(({ saga, during, ending }) => [during, { saga, during, ending }]));
  return [...requests.values()];
});

/** Throws for a saga that the matrix cannot start, so that a new one is not left out. */
export function requestOf(saga: string, operation?: ProviderOperation): SagaRequest {
  switch (saga) {
    case 'reserve':
      return { saga, during: 'reserve', ending: 'release' };
    case 'create-escrow':
      return { saga, during: 'escrow', ending: 'release' };
    case 'fund':
      return { saga, during: 'fund', ending: 'release' };
    case 'release':
    case 'refund':
    case 'cancel':
      return { saga, during: saga, ending: saga };
    case 'resolve-dispute': {
      const decision = operation === 'dispute' || operation === 'resolve' ? 'split' : 'full-release';
      return { saga, during: decision, ending: decision };
    }
    case 'release-milestone':
    case 'refund-milestone':
      return { saga, during: saga, ending: saga };
    case 'resolve-milestone-dispute': {
      const decision = operation === 'dispute' || operation === 'resolve' ? 'split-milestone' : 'full-release-milestone';
      return { saga, during: decision, ending: decision };
    }
    default:
      throw new Error(`The fault matrix has no request that starts the saga ${saga}.`);
  }
}
