import type { Clock } from '@holdfast/kernel/context';
import { getUserVersionInAdapter, getUserVersionInOrders, getUserVersionInPayments } from '@holdfast/contracts/http';
import { handle, type BoundRoute } from '@holdfast/http/server';
import { startStubService } from '@holdfast/testing/services';

const routes = {
  orders: getUserVersionInOrders,
  'escrow-adapter': getUserVersionInAdapter,
  payments: getUserVersionInPayments,
} as const;

type Stub = { readonly secret: string; readonly clock: Clock; readonly routes: readonly BoundRoute[] };

/** A service that has consumed every change of every user, with further routes. */
export function startUserConsumerStub(service: keyof typeof routes, { secret, clock, routes: others }: Stub) {
  const knownUser = handle(routes[service], () => Promise.resolve({ version: Number.MAX_SAFE_INTEGER }));
  return startStubService({ service, secret, clock, routes: [knownUser, ...others] });
}
