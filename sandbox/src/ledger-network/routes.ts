import { Networks } from '@stellar/stellar-sdk';
import type { FaultPoint } from '../control/inject-faults.js';
import type { RouteResponse, Route, WebRequest } from '../web/route.js';
import { accountView } from './account-view.js';
import { findTransaction } from './find-transaction.js';
import { ledgerView, transactionView } from './history-views.js';
import { historyRoutes, type HistoryDeps } from './history-routes.js';
import type { History } from './history.js';
import type { LedgerView } from './ledger-view.js';
import { baseOf, collection, pageOf } from './paging.js';
import { badRequest, notFound } from './problem.js';
import { feeStats, rootView } from './root-view.js';
import { submitRoutes, type SubmitDeps } from './submit-routes.js';

export type NetworkDeps = HistoryDeps & SubmitDeps;

export function networkRoutes(deps: NetworkDeps): readonly Route[] {
  const { network, nodes, history, faults, injectFaults } = deps;
  const read = (path: string, respond: (request: WebRequest, view: LedgerView) => RouteResponse): Route => ({
    method: 'GET',
    path,
    handler: (request) =>
      injectFaults({ target: 'ledger-network', operation: 'read' }, request, () => respond(request, nodes.view())),
  });
  const root = read('/', (request, view) => {
    const isOther = faults.take({ target: 'ledger-network', operation: 'root', kinds: ['other-network'] }) !== undefined;
    return { status: 200, json: rootView(isOther ? otherPassphrase : network.passphrase, view, baseOf(request)) };
  });
  return [
    { ...root, handler: (request) => injectFaults(rootPoint, request, () => root.handler(request)) },
    read('/fee_stats', (_request, view) => ({ status: 200, json: feeStats(view, network.minimumBid()) })),
    read('/accounts/:id', showAccount),
    read('/transactions/:hash', showTransaction),
    read('/accounts/:id/transactions', (request, view) => listTransactions(history, request, view)),
    read('/ledgers', showLedgers),
    ...historyRoutes(deps),
    ...submitRoutes(deps),
  ];
}

/** Faults of reads apply to the root, too. */
const rootPoint: FaultPoint = { target: 'ledger-network', operation: 'root', isNamed: true };
const otherPassphrase = Networks.TESTNET;

function showAccount(request: WebRequest, view: LedgerView): RouteResponse {
  const account = view.find('accounts', request.params['id'] ?? '');
  return account === undefined ? notFound() : { status: 200, json: accountView(account, baseOf(request)) };
}

function showTransaction(request: WebRequest, view: LedgerView): RouteResponse {
  const { hash = '' } = request.params;
  const transaction = findTransaction(view.find, hash);
  return transaction === undefined ? notFound() : { status: 200, json: transactionView(transaction, baseOf(request), hash) };
}

function listTransactions(history: History, request: WebRequest, { head }: LedgerView): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const base = baseOf(request);
  const records = history
    .transactionsOf(request.params['id'] ?? '', { ...page, lastLedger: head.sequence })
    .map((transaction) => transactionView(transaction, base));
  return { status: 200, json: collection(request, `${base}${request.path}`, records) };
}

/** Only the newest ledger is stored; clients read its close time. */
function showLedgers(request: WebRequest, { head }: LedgerView): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const base = baseOf(request);
  return { status: 200, json: collection(request, `${base}/ledgers`, [ledgerView(head, base)]) };
}
