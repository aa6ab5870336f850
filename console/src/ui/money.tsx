import { formatAmount, unitsOf } from '../data/format-amount.js';

type MoneyProps = { readonly amount: string; readonly currency?: string | undefined; readonly isSigned?: boolean };

/** An amount as the platform has it, with its currency. `isSigned` shows that something came in, too. */
export function Money({ amount, currency, isSigned = false }: MoneyProps) {
  const isIncoming = isSigned && unitsOf(amount) > 0n;
  return (
    <span className="hf-money">
      {isIncoming ? '+' : ''}
      {formatAmount(amount)}
      {currency === undefined ? null : <span className="hf-currency"> {currency}</span>}
    </span>
  );
}
