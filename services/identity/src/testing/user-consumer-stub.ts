import type { Clock } from '@holdfast/kernel/context';
import { getUserVersionInAdapter, getUserVersionInOrders, getUserVersionInPayments } from '@holdfast/contracts/http';
import { handle } from '@holdfast/http/server';
import { startStubService } from '@holdfast/testing/services';

const routes = {
  orders: getUserVersionInOrders,
  'escrow-adapter': getUserVersionInAdapter,
  payments: getUserVersionInPayments,
} as const;

/** A service that has consumed every change of every user. */
export function startUserConsumerStub(service: keyof typeof routes, secret: string, clock: Clock) {
  const knownUser = handle(routes[service], () => Promise.resolve({ version: Number.MAX_SAFE_INTEGER }));
  return startStubService({ service, secret, clock, routes: [knownUser] });
}
