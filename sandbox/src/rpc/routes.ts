import type { FaultResponses, InjectFaults } from '../control/inject-faults.js';
import type { History } from '../ledger-network/history.js';
import type { LedgerView } from '../ledger-network/ledger-view.js';
import { protocolVersion, type Network } from '../ledger-network/network.js';
import type { Nodes } from '../ledger-network/nodes.js';
import { submitWithFaults } from '../ledger-network/submit-with-faults.js';
import type { Route, RouteResponse, WebRequest } from '../web/route.js';
import { RpcError, errorResponse, parseRequest, resultResponse, type RpcRequest } from './json-rpc.js';
import { ledgerEntries } from './ledger-entries.js';
import { feeStats, health, latestLedger } from './ledgers.js';
import { queuedTransaction, sendTransaction, submittedTransaction } from './send-transaction.js';
import { showTransaction } from './show-transaction.js';
import { simulateTransaction } from './simulate-transaction.js';

export type RpcDeps = {
  readonly network: Network;
  readonly nodes: Nodes;
  readonly history: History;
  readonly injectFaults: InjectFaults;
};

export const rpcPath = '/rpc';

type Method = (view: LedgerView, params: unknown, deps: RpcDeps) => object;

/** Methods that read. Each one uses one view of the ledger for its whole response. */
const reads: Readonly<Record<string, Method>> = {
  getHealth: health,
  getNetwork: (_view, _params, { network: { passphrase } }) => ({ passphrase, protocolVersion }),
  getLatestLedger: latestLedger,
  getFeeStats: (view, _params, { network }) => feeStats(view, network.minimumBid()),
  getTransaction: showTransaction,
  simulateTransaction: (view, params, { network }) => simulateTransaction(network, view, params),
  getLedgerEntries: (view, params, { network, history }) => ledgerEntries({ view, history, genesis: network.genesis }, params),
};

/** The JSON-RPC interface of the ledger network, on the same ledgers as Horizon's API. */
export function rpcRoutes(deps: RpcDeps): readonly Route[] {
  return [{ method: 'POST', path: rpcPath, handler: (request) => respond(deps, request) }];
}

async function respond(deps: RpcDeps, request: WebRequest): Promise<RouteResponse> {
  let id: RpcRequest['id'] = null;
  try {
    const call = parseRequest(request.body);
    id = call.id;
    return await run(deps, request, call);
  } catch (error) {
    if (error instanceof RpcError) return errorResponse(id, error);
    throw error;
  }
}

function run(deps: RpcDeps, request: WebRequest, call: RpcRequest): RouteResponse | Promise<RouteResponse> {
  const { nodes, injectFaults } = deps;
  if (call.method === 'sendTransaction') {
    return injectFaults({ target: 'ledger-network', operation: 'submit' }, request, () => submit(deps, request, call));
  }
  const method = Object.hasOwn(reads, call.method) ? reads[call.method] : undefined;
  if (method === undefined) throw new RpcError('methodNotFound', `the method ${call.method} does not exist`);
  return injectFaults({ target: 'ledger-network', operation: 'read' }, request, () =>
    resultResponse(call.id, method(nodes.view(), call.params, deps)),
  );
}

function submit(
  { network, injectFaults }: RpcDeps,
  request: WebRequest,
  { id, params }: RpcRequest,
): RouteResponse | Promise<RouteResponse> {
  const transaction = submittedTransaction(network, params);
  return submitWithFaults(injectFaults, request, {
    transaction,
    submit: () => {
      const result = sendTransaction(network, transaction);
      return { ...resultResponse(id, result), isRefusal: result.status === 'ERROR' || result.status === 'TRY_AGAIN_LATER' };
    },
    claimSuccess: () => resultResponse(id, queuedTransaction(network, transaction, 'PENDING')),
  });
}

function failure(status: number, message: string): RouteResponse {
  return { status, text: message, contentType: 'text/plain' };
}

/** A node behind a load balancer fails with HTTP statuses; a working node returns JSON-RPC errors. */
export const rpcFaultResponses: FaultResponses = {
  failedBefore: () => failure(500, 'Internal Server Error'),
  failedAfter: () => failure(504, 'Gateway Timeout'),
  rateLimited: () => failure(429, 'Too Many Requests'),
};
