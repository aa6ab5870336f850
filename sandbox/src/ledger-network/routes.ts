import { StrKey } from '@stellar/stellar-sdk';
import type { InjectFaults } from '../control/inject-faults.js';
import type { RouteResponse, Route, WebRequest } from '../web/route.js';
import { accountView } from './account-view.js';
import { MalformedEnvelope } from './envelope.js';
import type { Faucet } from './faucet.js';
import { ledgerView, operationView, transactionView } from './history-views.js';
import type { History, HistoryEntry, Page } from './history.js';
import type { Network } from './network.js';
import { collection, pageOf } from './paging.js';
import { badRequest, failedTransaction, invalidTransaction, malformedTransaction, notFound } from './problem.js';
import { InvalidTransaction } from './validity.js';
import { feeStats, rootView } from './root-view.js';

export type NetworkDeps = {
  readonly network: Network;
  readonly history: History;
  readonly faucet: Faucet;
  readonly injectFaults: InjectFaults;
};

const friendbotUnits = 10_000n * 10_000_000n;

export function networkRoutes(deps: NetworkDeps): readonly Route[] {
  const { network, history, faucet, injectFaults } = deps;
  const read = (path: string, respond: (request: WebRequest) => RouteResponse): Route => ({
    method: 'GET',
    path,
    handler: (request) => injectFaults({ target: 'ledger-network', operation: 'read' }, request, () => respond(request)),
  });
  const fundByFriendbot = (request: WebRequest): RouteResponse => {
    const address = request.query.get('addr') ?? new URLSearchParams(request.body.toString('utf8')).get('addr') ?? '';
    if (!StrKey.isValidEd25519PublicKey(address)) return badRequest('addr', 'it is not an address');
    return landedResponse(faucet.newAccount(address, friendbotUnits), baseOf(request));
  };
  const listOf = (path: string, entries: (request: WebRequest, page: Page) => readonly HistoryEntry[] | undefined): Route =>
    read(path, (request) => entryList(request, (page) => entries(request, page)));
  return [
    read('/', (request) => ({ status: 200, json: rootView(network, baseOf(request)) })),
    read('/fee_stats', () => ({ status: 200, json: feeStats(network.closedLedger()) })),
    read('/accounts/:id', (request) => showAccount(network, request)),
    read('/transactions/:hash', (request) => showTransaction(network, request)),
    read('/accounts/:id/transactions', (request) => listTransactions(history, request)),
    read('/ledgers', (request) => showLedgers(network, request)),
    listOf('/accounts/:id/payments', ({ params }, page) =>
      network.store.find('accounts', params['id'] ?? '') === undefined ? undefined : history.paymentsOf(params['id'] ?? '', page),
    ),
    listOf('/payments', (_request, page) => history.allPayments(page)),
    listOf('/operations', ({ query }, page) => history.allOperations(page, query.get('include_failed') === 'true')),
    listOf('/transactions/:hash/operations', ({ params }) => operationsOf(network, params['hash'] ?? '')),
    listOf('/transactions/:hash/payments', ({ params }) => operationsOf(network, params['hash'] ?? '')),
    {
      method: 'POST',
      path: '/transactions',
      handler: (request) =>
        injectFaults({ target: 'ledger-network', operation: 'submit' }, request, () => submitTransaction(network, request)),
    },
    { method: 'GET', path: '/friendbot', handler: fundByFriendbot },
    { method: 'POST', path: '/friendbot', handler: fundByFriendbot },
  ];
}

function baseOf({ headers }: WebRequest): string {
  return `http://${headers.host ?? 'localhost'}`;
}

function showAccount({ store }: Network, request: WebRequest): RouteResponse {
  const account = store.find('accounts', request.params['id'] ?? '');
  return account === undefined ? notFound() : { status: 200, json: accountView(account, baseOf(request)) };
}

function showTransaction({ store }: Network, request: WebRequest): RouteResponse {
  const transaction = store.find('transactions', request.params['hash'] ?? '');
  return transaction === undefined ? notFound() : { status: 200, json: transactionView(transaction, baseOf(request)) };
}

function submitTransaction(network: Network, request: WebRequest): RouteResponse {
  const envelopeXdr = new URLSearchParams(request.body.toString('utf8')).get('tx') ?? '';
  try {
    return landedResponse(network.submit(network.parse(envelopeXdr)), baseOf(request));
  } catch (error) {
    if (error instanceof MalformedEnvelope) return malformedTransaction(envelopeXdr, error.message);
    if (error instanceof InvalidTransaction) return invalidTransaction(envelopeXdr, error);
    throw error;
  }
}

function landedResponse(landed: ReturnType<Network['submit']>, base: string): RouteResponse {
  return landed.failure === undefined ? { status: 200, json: transactionView(landed, base) } : failedTransaction(landed);
}

function operationsOf({ store }: Network, hash: string): readonly HistoryEntry[] | undefined {
  const transaction = store.find('transactions', hash);
  return transaction?.operations.map((_operation, index) => ({ transaction, index }));
}

function entryList(request: WebRequest, entries: (page: Page) => readonly HistoryEntry[] | undefined): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const found = entries(page);
  if (found === undefined) return notFound();
  const base = baseOf(request);
  const isJoined = request.query.get('join') === 'transactions';
  return {
    status: 200,
    json: collection(
      request,
      `${base}${request.path}`,
      found.map((entry) => {
        const view = operationView(entry, base);
        return isJoined ? { ...view, transaction: transactionView(entry.transaction, base) } : view;
      }),
    ),
  };
}

function listTransactions(history: History, request: WebRequest): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const base = baseOf(request);
  const records = history
    .transactionsOf(request.params['id'] ?? '', page)
    .map((transaction) => transactionView(transaction, base));
  return { status: 200, json: collection(request, `${base}${request.path}`, records) };
}

/** Only the newest ledger is stored; clients read its close time. */
function showLedgers(network: Network, request: WebRequest): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const base = baseOf(request);
  return { status: 200, json: collection(request, `${base}/ledgers`, [ledgerView(network.closedLedger(), base)]) };
}
