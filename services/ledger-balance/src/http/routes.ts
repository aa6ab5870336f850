import { paginationOf, routesOwnedBy } from '@holdfast/contracts/http';
import type { Context } from '@holdfast/kernel/context';
import { bindRoutes, requireAccount, type BoundRoute } from '@holdfast/http/server';
import type { UserId } from '@holdfast/kernel/ids';
import { baseCurrency, formatUnits, type Currency } from '@holdfast/kernel/money';
import { mapPage } from '@holdfast/kernel/pages';
import { cancelReservation } from '../use-cases/cancel-reservation.js';
import { creditBalance } from '../use-cases/credit-balance.js';
import { debitBalance } from '../use-cases/debit-balance.js';
import { deductReserved } from '../use-cases/deduct-reserved.js';
import { getBalance } from '../use-cases/get-balance.js';
import { getBalances } from '../use-cases/get-balances.js';
import { exportStatement, getStatement } from '../use-cases/get-statement.js';
import { listAccountTransactions } from '../use-cases/list-account-transactions.js';
import { listBalances } from '../use-cases/list-balances.js';
import { listCustodyAccounts } from '../use-cases/list-custody-accounts.js';
import { listOrderTransfers } from '../use-cases/list-order-transfers.js';
import { listReservations } from '../use-cases/list-reservations.js';
import { listTransactions } from '../use-cases/list-transactions.js';
import type { BalanceAfter, Deps } from '../use-cases/ports.js';
import { releaseFunds } from '../use-cases/release-funds.js';
import { reserveFunds } from '../use-cases/reserve-funds.js';
import { syncBalance } from '../use-cases/sync-balance.js';
import { verifyBalance } from '../use-cases/verify-balance.js';
import { viewOfAccountTransaction, viewOfEntries } from './account-view.js';
import { viewOfAmounts, viewOfBalance, viewOfSync, viewOfTransfer, viewOfVerification } from './balance-view.js';
import { viewOfCheck, viewOfCustodyAccounts, viewOfTotals } from './journal-view.js';
import { fileOfStatement, viewOfStatement } from './statement-view.js';

/** Declared route → use case. */
export function routesOf(deps: Deps): readonly BoundRoute[] {
  return bindRoutes(routesOwnedBy('ledger-balance'), {
    getBalance: async ({ params, query }, ctx) => viewOfBalance(await getBalance(deps, inCurrency({ ...params, ...query }), ctx)),
    creditBalance: balanceRoute(deps, creditBalance),
    debitBalance: balanceRoute(deps, debitBalance),
    reserveFunds: balanceRoute(deps, reserveFunds),
    releaseFunds: balanceRoute(deps, releaseFunds),
    cancelReservation: async ({ params, body }, ctx) =>
      viewOfTransfer(await cancelReservation(deps, { ...params, ...body }, ctx)),
    deductReserved: balanceRoute(deps, deductReserved),
    syncBalance: async ({ params, body }, ctx) => viewOfSync(await syncBalance(deps, inCurrency({ ...params, ...body }), ctx)),
    verifyBalance: async ({ params, query }, ctx) =>
      viewOfVerification(await verifyBalance(deps, inCurrency({ ...params, ...query }), ctx)),
    listBalanceTransactions: ({ params, query }, ctx) => listTransactions(deps, inCurrency({ ...params, ...query }), ctx),
    listBalances: async ({ params, query }, ctx) =>
      mapPage(await listBalances(deps, { ...params, ...query }, ctx), viewOfBalance),
    listReservations: ({ params, query }, ctx) => listReservations(deps, { ...params, ...query }, ctx),
    getStatement: async ({ params, query: { limit, cursor, ...period }, isDownload }, ctx) => {
      const wanted = inCurrency({ ...params, ...period });
      if (isDownload) return fileOfStatement(await exportStatement(deps, wanted, ctx));
      return viewOfStatement(await getStatement(deps, { ...wanted, limit, cursor }, ctx));
    },
    findOrderTransfers: ({ params, query }, ctx) => listOrderTransfers(deps, { ...params, ...query }, ctx),
    getBalances: async ({ body }) => {
      const balances = await getBalances(deps, body);
      return { balances: balances.map((amounts) => viewOfAmounts(amounts, body.currency)) };
    },
    getJournalTotals: async () => viewOfTotals(await deps.journal.sharedTotals()),
    getBookTerms: async () => ({
      terms: (await deps.journal.terms()).map(({ term, currency, units }) => ({ term, currency, amount: formatUnits(units) })),
    }),
    getLedgerCheck: () => {
      const last = deps.lastCheck();
      return Promise.resolve({ check: last === undefined ? null : viewOfCheck(last) });
    },
    listCustodyAccounts: async ({ query }) => viewOfCustodyAccounts(await listCustodyAccounts(deps, query)),
    getAccountBalances: async (_, ctx) => ({
      balances: viewOfEntries(await deps.balances.findAll(ctx.caller.marketplaceId, requireAccount(ctx))),
    }),
    listAccountTransactions: async ({ query }, ctx) => {
      const { items, total, asOf } = await listAccountTransactions(deps, { ...query, userId: requireAccount(ctx) }, ctx);
      return { transactions: items.map(viewOfAccountTransaction), pagination: paginationOf(query, total), as_of: asOf };
    },
    getUserVersionInLedger: async ({ params }) => ({ version: await deps.users.knownVersion(params.id) }),
  });
}

type InCurrency<T> = Omit<T, 'currency'> & { readonly currency: Currency };

/** Binds a route that posts one instruction: path and body are the input, and the response is the balance after it. */
function balanceRoute<Body extends { readonly currency?: Currency | undefined }>(
  deps: Deps,
  useCase: (deps: Deps, input: InCurrency<Body & { readonly userId: UserId }>, ctx: Context) => Promise<BalanceAfter>,
) {
  return async ({ params, body }: { readonly params: { readonly userId: UserId }; readonly body: Body }, ctx: Context) => {
    const currency = body.currency ?? baseCurrency;
    return viewOfTransfer(await useCase(deps, { ...body, userId: params.userId, currency }, ctx));
  };
}

function inCurrency<T extends { readonly currency?: Currency | undefined }>(input: T): InCurrency<T> {
  return { ...input, currency: input.currency ?? baseCurrency };
}
