import type { Clock } from '@holdfast/shared/context';
import { getUserNotedByAdapter, getUserNotedByOrders } from '@holdfast/shared/contracts/http';
import { handle } from '@holdfast/shared/http-server';
import { startStandIn } from '@holdfast/shared/testing/services';

const routes = { orders: getUserNotedByOrders, 'escrow-adapter': getUserNotedByAdapter } as const;

/** A service that has heard of every change of every user. */
export function startUserListenerStandIn(service: keyof typeof routes, secret: string, clock: Clock) {
  const noted = handle(routes[service], () => Promise.resolve({ version: Number.MAX_SAFE_INTEGER }));
  return startStandIn({ service, secret, clock, routes: [noted] });
}
