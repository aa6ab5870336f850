import {
  getBookTerms,
  getCustodyBalances,
  getDepositTotals,
  getJournalTotals,
  listCustodyAccounts,
} from '@holdfast/contracts/http';
import type { ServiceClient } from '@holdfast/http/service-client';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';
import { parseUnits } from '@holdfast/kernel/money';
import type { CustodyAccount } from '../domain/custody-difference.js';
import type { Books, CustodyBalance, CustodyPage } from '../use-cases/books-ports.js';
import { readPart } from '../use-cases/report-ports.js';

type Clients = { readonly ledger: ServiceClient; readonly adapter: ServiceClient };

/** Reads the journal from ledger-balance and the ledger network through escrow-adapter. */
export function createBooksClient({ ledger, adapter }: Clients): Books {
  const contextOf = (requestId: string) => ({ requestId, marketplaceId: defaultMarketplaceId });
  return {
    externalUnits: async (currency, requestId) => {
      const { totals } = await readPart('journal', () => ledger.call(getJournalTotals, {}, contextOf(requestId)));
      const unitsOf = (owner: string): bigint =>
        parseUnits(totals.find((total) => total.owner === owner && total.currency === currency)?.amount ?? '0.00');
      return { payins: unitsOf('payins'), payouts: unitsOf('payouts') };
    },
    publishedDeposits: async (requestId) => {
      const { totals } = await readPart('ledgerNetwork', () => adapter.call(getDepositTotals, {}, contextOf(requestId)));
      return totals.map(({ currency, amount, inFlight, waiting }) => ({
        currency,
        publishedUnits: parseUnits(amount),
        inFlightUnits: parseUnits(inFlight),
        waitingUnits: parseUnits(waiting),
      }));
    },
    terms: async (requestId) => {
      const { terms } = await readPart('journal', () => ledger.call(getBookTerms, {}, contextOf(requestId)));
      return terms.map(({ term, currency, amount }) => ({ term, currency, units: parseUnits(amount) }));
    },
    bookedDeposits: async (requestId) => {
      const { totals } = await readPart('journal', () => ledger.call(getJournalTotals, {}, contextOf(requestId)));
      // The account is on the other side of the journal: what came in makes it negative.
      return new Map(
        totals.filter(({ owner }) => owner === 'deposits').map(({ currency, amount }) => [currency, -parseUnits(amount)]),
      );
    },
    custodyPage: (page, requestId) => readCustodyPage({ ledger, adapter }, page, contextOf(requestId)),
  };
}

type CallContext = Parameters<ServiceClient['call']>[2];

/**
 * Names the accounts first, reads them on the network, and then the journal after the ledger that was read. In this order: what is not
 * moving when the network is read is in the journal by then.
 */
async function readCustodyPage(
  { ledger, adapter }: Clients,
  { after, isWanted }: Parameters<Books['custodyPage']>[0],
  context: CallContext,
): Promise<CustodyPage> {
  const from = after === null ? {} : { after };
  const named = await readPart('journal', () => ledger.call(listCustodyAccounts, { query: from }, context));
  const wanted = named.balances.map(toBalance).filter(isWanted);
  if (wanted.length === 0) return { accounts: [], ledger: null, after: named.after };
  const accounts = [...new Map(wanted.map(({ place, ownerId }) => [ownerOf({ place, ownerId }), { place, ownerId }])).values()];
  const network = await readPart('ledgerNetwork', () => adapter.call(getCustodyBalances, { body: { accounts } }, context));
  const query = { ...from, ledger: network.ledger.toString() };
  const journal = await readPart('journal', () => ledger.call(listCustodyAccounts, { query }, context));
  const onNetwork = new Map(network.balances.map(toBalance).map((each) => [keyOf(each), each.units]));
  const moving = new Set(network.moving.map(ownerOf));
  const isNamed = new Set(wanted.map(keyOf));
  return {
    accounts: journal.balances
      .map(toBalance)
      .filter((account) => isNamed.has(keyOf(account)))
      .map((account) => ({
        ...account,
        networkUnits: onNetwork.get(keyOf(account)) ?? 0n,
        isMoving: moving.has(ownerOf(account)),
      })),
    ledger: network.ledger,
    after: named.after,
  };
}

function ownerOf({ place, ownerId }: CustodyAccount): string {
  return `${place}:${ownerId ?? ''}`;
}

function keyOf(account: CustodyBalance): string {
  return `${ownerOf(account)}:${account.asset}`;
}

function toBalance({ amount, ...account }: Omit<CustodyBalance, 'units'> & { readonly amount: string }): CustodyBalance {
  return { ...account, units: parseUnits(amount) };
}
