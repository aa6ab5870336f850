import { performance } from 'node:perf_hooks';
import type { Marketplace } from './marketplace.js';

/** What has to have happened before anything is measured: a service that has run for a while is what is asked about. */
export type WarmUp = { readonly clients: number; readonly ordersMin: number; readonly durationMs: number };

export type WarmedUp = { readonly orders: number; readonly seconds: number };

/** A platform that needs longer than this for the orders it should have played is measured as it is. */
const durationMsMax = 300_000;

/** Plays orders until both have passed, the time and that many orders. */
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
