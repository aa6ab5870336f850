import { accountCurrencies, numberOfUnits, type AccountTransactionView, type BalanceEntryView } from '@holdfast/contracts/http';
import type { AccountTransaction, Balance } from '../use-cases/ports.js';

/** One entry per currency; zero where the person has none. */
export function viewOfEntries(balances: readonly Balance[]): BalanceEntryView[] {
  return accountCurrencies.map((currency) => {
    const balance = balances.find((each) => each.currency === currency);
    return {
      currency,
      available: numberOfUnits(balance?.availableUnits ?? 0n),
      held: numberOfUnits(balance?.reservedUnits ?? 0n),
    };
  });
}

/** A transfer concerns at most one user, so its id identifies the transaction, too. */
export function viewOfAccountTransaction(transaction: AccountTransaction): AccountTransactionView {
  const { id, changeUnits, currency, description, createdAt } = transaction;
  const isDebit = changeUnits < 0n;
  const isDescribed = description !== null && description !== '';
  return {
    id: `txn_${id.slice('tr_'.length)}`,
    type: isDebit ? 'debit' : 'credit',
    amount: numberOfUnits(isDebit ? -changeUnits : changeUnits),
    currency,
    description: isDescribed ? description : isDebit ? 'Debit' : 'Credit',
    created_at: createdAt,
  };
}
