import { currencies } from '@holdfast/kernel/money';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import { sagaMetrics } from '@holdfast/service-kit';
import { orderStatuses } from './domain/order-states.js';

export const ordersByState = defineGauge(
  'holdfast_orders',
  'Orders by state; those in CLOSED are estimated from the statistics of the table',
  { state: orderStatuses },
);
export const heldTokens = defineGauge('holdfast_orders_held_tokens', 'Amounts of the orders whose money is in escrow', {
  currency: currencies,
});
export const disputesOpen = defineGauge('holdfast_disputes_open', 'Disputes that nobody has resolved');
export const settlementsContradicted = defineCounter(
  'holdfast_settlements_contradicted_total',
  'Settlements whose outcome contradicts what was decided; an operator must look',
);

export const metrics: readonly MetricDeclaration[] = [
  ordersByState,
  heldTokens,
  disputesOpen,
  settlementsContradicted,
  ...sagaMetrics('orders'),
];
