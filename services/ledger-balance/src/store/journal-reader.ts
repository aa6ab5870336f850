import type { CustodyPlace } from '@holdfast/contracts/messages';
import type { Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { sharedOwners } from '../domain/accounts.js';
import { assetOfChain, custodyPlaceOf, outsidePlaces, type ChainCurrency } from '../domain/custody.js';
import type { CustodyAccount, JournalReader } from '../use-cases/ports.js';
import { listCustodyBalances, type CustodyBalanceOfOwnerRow } from './sql/list-custody-balances.js';
import { sumTerms, type TermRow } from './sql/sum-terms.js';
import { sumSharedAccounts, type SharedSumRow } from './sql/sum-shared-accounts.js';

/** No ledger has a higher number. */
const newestLedger = 2 ** 31 - 1;

export function journalReader({ lists }: Pick<Database, 'lists'>): JournalReader {
  return {
    sharedTotals: async () => {
      const { rows } = await lists.query<SharedSumRow>(sumSharedAccounts, [sharedOwners]);
      return rows.map(({ owner, currency, units }) => ({ owner, currency: currency as Currency, units: BigInt(units) }));
    },
    terms: async () => {
      const { rows } = await lists.query<TermRow>(sumTerms, [sharedOwners, outsidePlaces]);
      return rows.map(({ term, currency, units }) => ({ term, currency: currency as Currency, units: BigInt(units) }));
    },
    custodyAccounts: async (after, limit, ledger = newestLedger) => {
      const values = [after, outsidePlaces, limit, ledger];
      const { rows } = await lists.query<CustodyBalanceOfOwnerRow>(listCustodyBalances, values);
      return rows.map(toCustodyAccount);
    },
  };
}

function toCustodyAccount({ id, owner, currency, units }: CustodyBalanceOfOwnerRow): CustodyAccount {
  const { place, ownerId } = custodyPlaceOf(owner);
  return { id, place: place as CustodyPlace, ownerId, asset: assetOfChain(currency as ChainCurrency), units };
}
