import { kindsIn } from '../control/fault-kinds.js';
import type { FaultPoint, InjectFaults } from '../control/inject-faults.js';
import type { Route, RouteResponse, WebRequest } from '../web/route.js';
import { effectViews } from './effects.js';
import { withFalsifiedRecord } from './falsified-record.js';
import { findTransaction } from './find-transaction.js';
import { transactionView } from './history-views.js';
import type { History, HistoryEntry, Page } from './history.js';
import { withInventedPayment, type InventDeps } from './invented-payment.js';
import type { LedgerView } from './ledger-view.js';
import type { Nodes } from './nodes.js';
import { operationView } from './operation-view.js';
import { baseOf, collection, pageOf } from './paging.js';
import { badRequest, notFound } from './problem.js';

export type HistoryDeps = InventDeps & {
  readonly nodes: Nodes;
  readonly history: History;
  readonly injectFaults: InjectFaults;
  readonly injectHistoryFaults: InjectFaults;
};

type Respond = (request: WebRequest, view: LedgerView) => RouteResponse;

/** A record of a list is falsified by faults of its own, so that the list stays readable. */
const historyKinds = kindsIn('before', 'after');
const historyPoint: FaultPoint = { target: 'ledger-network', operation: 'history', kinds: historyKinds, isNamed: true };

/** The lists of operations, payments and effects. Faults of reads apply to them, too. */
export function historyRoutes(deps: HistoryDeps): readonly Route[] {
  const { nodes, history, faults, injectFaults, injectHistoryFaults } = deps;
  const route = (path: string, handler: Route['handler']): Route => ({ method: 'GET', path, handler });
  const whileReading = (request: WebRequest, respond: Respond): ReturnType<Route['handler']> =>
    injectFaults({ target: 'ledger-network', operation: 'read' }, request, () => respond(request, nodes.view()));
  const read = (path: string, respond: Respond): Route =>
    route(path, (request) => injectHistoryFaults(historyPoint, request, () => whileReading(request, respond)));
  const falsify: Falsify = (records) => withFalsifiedRecord(faults, records);
  const listOf = (path: string, entries: (request: WebRequest, page: Page, view: LedgerView) => Entries): Route =>
    read(path, (request, view) => {
      const invent: Invent = (found, page) =>
        withInventedPayment(deps, { page, entries: found, head: view.head, account: request.params['id'] });
      return entryList(request, view, { find: (page) => entries(request, page, view), invent, falsify });
    });
  const ofTransaction = (path: string): Route => route(path, (request) => whileReading(request, listOperations));
  return [
    listOf('/accounts/:id/payments', ({ params }, page, view) =>
      view.find('accounts', params['id'] ?? '') === undefined ? undefined : history.paymentsOf(params['id'] ?? '', page),
    ),
    listOf('/payments', (_request, page) => history.allPayments(page)),
    listOf('/operations', ({ query }, page) => history.allOperations(page, query.get('include_failed') === 'true')),
    read('/operations/:id', (request, view) => showOperation(history, request, view)),
    read('/operations/:id/effects', (request, view) => effectsOfOperation(history, request, view, falsify)),
    ofTransaction('/transactions/:hash/operations'),
    ofTransaction('/transactions/:hash/payments'),
  ];
}

type Records = Parameters<typeof collection>[2];
type Falsify = (records: Parameters<typeof withFalsifiedRecord>[1]) => Records;
type Entries = readonly HistoryEntry[] | undefined;
type Invent = (found: readonly HistoryEntry[], page: Page) => Entries;
type EntrySource = {
  readonly find: (page: Page) => Entries;
  /** Undefined where no fault adds an entry. */
  readonly invent?: Invent;
  readonly falsify?: Falsify;
};

function listOperations(request: WebRequest, view: LedgerView): RouteResponse {
  return entryList(request, view, { find: () => operationsOf(view, request.params['hash'] ?? '') });
}

function operationsOf(view: LedgerView, hash: string): Entries {
  const transaction = findTransaction(view.find, hash);
  return transaction?.operations.map((_operation, index) => ({ transaction, index }));
}

function entryList(request: WebRequest, { head }: LedgerView, source: EntrySource): RouteResponse {
  const page = pageOf(request.query);
  if ('invalid' in page) return badRequest(page.invalid, 'it is not valid');
  const found = source.find({ ...page, lastLedger: head.sequence });
  if (found === undefined) return notFound();
  const show = (entries: readonly HistoryEntry[]) => entries.map((entry) => shownOperation(entry, request));
  const invented = source.invent?.(found, page);
  if (invented !== undefined) return listResponse(request, show(invented));
  return listResponse(request, source.falsify?.(show(found)) ?? show(found));
}

function listResponse(request: WebRequest, records: Records): RouteResponse {
  return { status: 200, json: collection(request, `${baseOf(request)}${request.path}`, records) };
}

function shownOperation(entry: HistoryEntry, request: WebRequest) {
  const base = baseOf(request);
  const isJoined = request.query.get('join') === 'transactions';
  const view = operationView(entry, base);
  return isJoined ? { ...view, transaction: transactionView(entry.transaction, base) } : view;
}

function showOperation(history: History, request: WebRequest, view: LedgerView): RouteResponse {
  const entry = knownOperation(history, request, view);
  return entry === undefined ? notFound() : { status: 200, json: shownOperation(entry, request) };
}

function effectsOfOperation(history: History, request: WebRequest, view: LedgerView, falsify: Falsify): RouteResponse {
  const entry = knownOperation(history, request, view);
  if (entry === undefined) return notFound();
  return listResponse(request, falsify(effectViews(entry, baseOf(request))));
}

function knownOperation(history: History, { params }: WebRequest, { head }: LedgerView): HistoryEntry | undefined {
  const id = params['id'] ?? '';
  const entry = /^\d{1,19}$/.test(id) ? history.operation(BigInt(id)) : undefined;
  return entry === undefined || entry.transaction.ledger > head.sequence ? undefined : entry;
}
