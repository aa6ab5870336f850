import { performance } from 'node:perf_hooks';
import type { Marketplace } from './marketplace.js';

/** What must have run before the measurement, which is about services that are warmed up. */
export type WarmUp = { readonly clients: number; readonly ordersMin: number; readonly durationMs: number };

export type WarmedUp = { readonly orders: number; readonly seconds: number };

/** After this time the measurement starts even if the orders of the warm-up are not complete. */
const durationMsMax = 300_000;

/** Runs orders until both the time and the number of orders are reached. */
export async function warmUp(marketplace: Marketplace, { clients, ordersMin, durationMs }: WarmUp): Promise<WarmedUp> {
  const begunAt = performance.now();
  const passedMs = (): number => performance.now() - begunAt;
  let orders = 0;
  const runOrders = async (): Promise<void> => {
    while (passedMs() < durationMs || (orders < ordersMin && passedMs() < durationMsMax)) {
      await marketplace.runOrder(() => undefined);
      orders += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, runOrders));
  return { orders, seconds: Math.round(passedMs() / 1_000) };
}
