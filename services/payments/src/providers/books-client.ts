import {
  custodyAccountsMax,
  getCustodyBalances,
  getDepositTotals,
  getJournalTotals,
  listCustodyAccounts,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { parseUnits } from '@holdfast/kernel/money';
import type { CustodyBalance, Deps } from '../use-cases/ports.js';

type Clients = { readonly ledger: ServiceClient; readonly adapter: ServiceClient };

/** A journal has at most this number of pages of custody accounts. */
const pagesMax = 100_000;

/** Reads the journal from ledger-balance and the ledger network through escrow-adapter. */
export function createBooksClient({ ledger, adapter }: Clients): Deps['books'] {
  const contextOf = (requestId: string) => ({ requestId, marketplaceId: defaultMarketplaceId });
  return {
    externalUnits: async (currency, requestId) => {
      const { totals } = await ledger.call(getJournalTotals, {}, contextOf(requestId));
      const unitsOf = (owner: string): bigint =>
        parseUnits(totals.find((total) => total.owner === owner && total.currency === currency)?.amount ?? '0.00');
      return { payins: unitsOf('payins'), payouts: unitsOf('payouts') };
    },
    depositUnits: async (requestId) => {
      const [published, journal] = await Promise.all([
        adapter.call(getDepositTotals, {}, contextOf(requestId)),
        ledger.call(getJournalTotals, {}, contextOf(requestId)),
      ]);
      const booked = journal.totals.filter(({ owner }) => owner === 'deposits');
      const currencies = new Set([...published.totals, ...booked].map(({ currency }) => currency));
      const unitsIn = (totals: readonly { readonly currency: string; readonly amount: string }[], currency: string): bigint =>
        parseUnits(totals.find((total) => total.currency === currency)?.amount ?? '0.00');
      // The account is on the other side of the journal: what came in makes it negative.
      return [...currencies].map((currency) => ({
        currency,
        publishedUnits: unitsIn(published.totals, currency),
        bookedUnits: -unitsIn(booked, currency),
      }));
    },
    custodyBalances: async (requestId) => {
      const found: CustodyBalance[] = [];
      let query: { readonly after: string } | undefined;
      for (let page = 0; page < pagesMax; page += 1) {
        const { balances, after } = await ledger.call(
          listCustodyAccounts,
          query === undefined ? {} : { query },
          contextOf(requestId),
        );
        found.push(...balances.map(toBalance));
        if (after === null) return found;
        query = { after };
      }
      throw new Error('The journal has too many custody accounts.');
    },
    networkBalances: async (accounts, requestId) => {
      const found: CustodyBalance[] = [];
      for (let start = 0; start < accounts.length; start += custodyAccountsMax) {
        const body = {
          accounts: accounts.slice(start, start + custodyAccountsMax).map(({ place, ownerId }) => ({ place, ownerId })),
        };
        const { balances } = await adapter.call(getCustodyBalances, { body }, contextOf(requestId));
        found.push(...balances.map(toBalance));
      }
      return found;
    },
  };
}

function toBalance({ amount, ...account }: Omit<CustodyBalance, 'units'> & { readonly amount: string }): CustodyBalance {
  return { ...account, units: parseUnits(amount) };
}
