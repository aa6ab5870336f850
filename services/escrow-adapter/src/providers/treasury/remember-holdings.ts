import type { Clock } from '@holdfast/kernel/context';
import type { LastHoldings } from '../../use-cases/treasury/describe-treasury.js';
import type { TreasuryDeps } from '../../use-cases/treasury/maintain-treasury.js';

/** Keeps the balances that each check of the treasury reads anyway, so that an operator's view of them costs no call of the network. */
export function rememberHoldings(onHoldings: TreasuryDeps['onHoldings'], clock: Clock) {
  let last: LastHoldings | undefined;
  return {
    last: (): LastHoldings | undefined => last,
    onHoldings: (...[totals, channels]: Parameters<TreasuryDeps['onHoldings']>): void => {
      last = { readAt: clock.now(), totals, channels };
      onHoldings(totals, channels);
    },
  };
}
