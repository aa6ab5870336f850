import { z } from 'zod';
import { createOrder, initEscrow } from '@holdfast/contracts/http';
import { baseCurrency, type Currency } from '@holdfast/kernel/money';

/**
 * POST /orders for escrow contracts that hold only these currencies. The schema checks the currency, so that it is reported
 * together with all other faults of the body. Where the base currency is not among them, the body must name one.
 */
export function createOrderRoute(escrowCurrencies: readonly Currency[]) {
  const body = createOrder.body.safeExtend({ currency: z.enum(escrowCurrencies).prefault(baseCurrency) });
  return { ...createOrder, body };
}

/** POST /escrow/init, likewise. */
export function initEscrowRoute(escrowCurrencies: readonly Currency[]) {
  return { ...initEscrow, body: initEscrow.body.safeExtend({ currency: z.enum(escrowCurrencies) }) };
}
