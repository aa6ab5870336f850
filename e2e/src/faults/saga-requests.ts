import { allSagas, type ProviderOperation } from '@holdfast/contracts/sagas';
import type { Ending, Step } from './order-life.js';

/** The request that starts a saga on an order, and how the order ends afterwards. */
export type SagaRequest = { readonly saga: string; readonly during: Step; readonly ending: Ending };

/** A provider operation of a saga step, and the request that leads to it. */
export type ProviderCall = SagaRequest & { readonly step: string; readonly operation: ProviderOperation };

/** The call that starts each saga, and the end of its order. A decision on a dispute depends on the operation that is wanted. */
const calls: Readonly<Record<string, Pick<SagaRequest, 'during' | 'ending'>>> = {
  reserve: { during: 'reserve', ending: 'release' },
  'create-escrow': { during: 'escrow', ending: 'release' },
  fund: { during: 'fund', ending: 'release' },
  release: { during: 'release', ending: 'release' },
  refund: { during: 'refund', ending: 'refund' },
  cancel: { during: 'cancel', ending: 'cancel' },
  'resolve-dispute': { during: 'full-release', ending: 'full-release' },
  'resolve-dispute by distribution': { during: 'split', ending: 'split' },
  'release-milestone': { during: 'release-milestone', ending: 'release-milestone' },
  'refund-milestone': { during: 'refund-milestone', ending: 'refund-milestone' },
  'resolve-milestone-dispute': { during: 'full-release-milestone', ending: 'full-release-milestone' },
  'resolve-milestone-dispute by distribution': { during: 'split-milestone', ending: 'split-milestone' },
};

/** The sagas of an order. */
export const startedByOrders = allSagas.filter(({ steps }) => steps['start']?.by === 'orders');

/** Every provider operation of every saga of an order, from the saga tables. */
export const providerCalls: readonly ProviderCall[] = startedByOrders.flatMap(({ name, steps }) =>
  Object.entries(steps).flatMap(([step, { calls = [] }]) =>
    calls.map((operation) => ({ ...requestOf(name, operation), step, operation })),
  ),
);

/** Every request that starts a saga on an order; the requests of provider calls differ if the saga depends on a decision. */
export const sagaRequests: readonly SagaRequest[] = startedByOrders.flatMap(({ name }) => {
  const ofCalls = providerCalls.filter(({ saga }) => saga === name);
  if (ofCalls.length === 0) return [requestOf(name)];
  const requests = new Map(ofCalls.map(({ saga, during, ending }) => [during, { saga, during, ending }]));
  return [...requests.values()];
});

/** Throws for a saga that the matrix cannot start, so that a new one is not left out. */
export function requestOf(saga: string, operation?: ProviderOperation): SagaRequest {
  const isDistributed = operation === 'dispute' || operation === 'resolve';
  const found = (isDistributed ? calls[`${saga} by distribution`] : undefined) ?? calls[saga];
  if (found === undefined) throw new Error(`The fault matrix has no request that starts the saga ${saga}.`);
  return { saga, ...found };
}
