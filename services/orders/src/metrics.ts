import { currencies } from '@holdfast/kernel/money';
import { defineCounter, defineGauge, type MetricDeclaration } from '@holdfast/observability';
import { sagaMetrics } from '@holdfast/service-kit';
import { orderStatuses } from './domain/order-states.js';
import { heldReasons } from './domain/timers.js';

export const ordersByState = defineGauge(
  'holdfast_orders',
  'Orders by state; those in CLOSED are estimated from the statistics of the table',
  { state: orderStatuses },
);
export const heldTokens = defineGauge(
  'holdfast_orders_held_tokens',
  'Amounts of the orders whose money is in escrow, with milestones of them that were paid out',
  {
    currency: currencies,
  },
);
export const disputesOpen = defineGauge('holdfast_disputes_open', 'Disputes that are not resolved');
export const disputesOverdue = defineGauge(
  'holdfast_disputes_overdue',
  'Disputes that were not decided in time and still are not',
);
export const timersDueLag = defineGauge(
  'holdfast_timers_due_lag_seconds',
  'How long the oldest due timer of an order has waited',
);
export const timersHeld = defineGauge('holdfast_timers_held', 'Timers that wait because nothing may be paid out now', {
  reason: heldReasons,
});
export const timersFailing = defineGauge('holdfast_timers_failing', 'Timers that have been tried more than five times');
export const settlementsContradicted = defineCounter(
  'holdfast_settlements_contradicted_total',
  'Settlements whose outcome contradicts what was decided; an operator must look',
);

export const metrics: readonly MetricDeclaration[] = [
  ordersByState,
  heldTokens,
  disputesOpen,
  disputesOverdue,
  timersDueLag,
  timersHeld,
  timersFailing,
  settlementsContradicted,
  ...sagaMetrics('orders'),
];
