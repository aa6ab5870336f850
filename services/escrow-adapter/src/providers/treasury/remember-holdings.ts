import type { Clock } from '@holdfast/kernel/context';
import type { LastHoldings, OnHoldings } from '../../use-cases/treasury/ports.js';

/** Keeps the balances that each check of the treasury reads anyway, so that an operator's view of them costs no call of the network. */
export function rememberHoldings(onHoldings: OnHoldings, clock: Clock) {
  let last: LastHoldings | undefined;
  return {
    last: (): LastHoldings | undefined => last,
    onHoldings: (...[totals, channels]: Parameters<OnHoldings>): void => {
      last = { readAt: clock.now(), totals, channels };
      onHoldings(totals, channels);
    },
  };
}
