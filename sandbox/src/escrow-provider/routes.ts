import type { z } from 'zod';
import type { FaultKind } from '../control/faults.js';
import type { InjectFaults } from '../control/inject-faults.js';
import { OperationFailure } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';
import { jsonOf, type RouteResponse, type Route, type WebRequest } from '../web/route.js';
import { buildTransaction } from './build-transaction.js';
import type { EscrowIndex } from './escrow-index.js';
import { escrowBalances, escrowsByIds, escrowsBySigner } from './reads.js';
import { refusal } from './responses.js';
import { requestShapes } from './request-shapes.js';
import { operationOf, readTransaction, sendTransaction } from './send-transaction.js';
import { escrowWrites, type Write } from './writes.js';

export type EscrowProviderDeps = {
  readonly network: Network;
  readonly index: EscrowIndex;
  readonly apiKey: string;
  readonly injectFaults: InjectFaults;
};

export const escrowProviderPath = '/escrow-provider';

/** A build call has no effect, so the after-effect kinds apply to the submission. */
const buildKinds: readonly FaultKind[] = ['latency', 'error-before-effect', 'rate-limited', 'malformed'];
const submitKinds: readonly FaultKind[] = ['error-after-effect', 'timeout-after-effect', 'no-contract-id'];

export function escrowProviderRoutes(deps: EscrowProviderDeps): readonly Route[] {
  const { network, index } = deps;
  const guarded = (method: Route['method'], path: string, respond: Route['handler']): Route => ({
    method,
    path: `${escrowProviderPath}${path}`,
    handler: (request) => (request.headers['x-api-key'] === deps.apiKey ? respond(request) : refusal('Unauthorized', 401)),
  });
  const read = (path: string, respond: (query: URLSearchParams) => RouteResponse): Route =>
    guarded('GET', path, (request) =>
      deps.injectFaults({ target: 'escrow-provider', operation: 'read' }, request, () => respond(request.query)),
    );
  return [
    ...escrowWrites(network).map((write) =>
      guarded('POST', write.path, (request) =>
        deps.injectFaults({ target: 'escrow-provider', operation: write.operation, kinds: buildKinds }, request, () =>
          build(network, write, request),
        ),
      ),
    ),
    guarded('POST', '/helper/send-transaction', (request) => submit(deps, request)),
    read('/helper/get-escrow-by-contract-ids', (query) => escrowsByIds(network.store, query)),
    read('/helper/get-escrows-by-signer', (query) => escrowsBySigner(network.store, index, query)),
    read('/helper/get-multiple-escrow-balance', (query) => escrowBalances(network.store, query)),
  ];
}

function build(network: Network, write: Write, request: WebRequest): RouteResponse {
  try {
    const call = write.read(jsonOf(request));
    if ('faults' in call) return refusal(faultsOf(call.faults));
    return { status: 200, json: { status: 'SUCCESS', unsignedTransaction: buildTransaction(network, call) } };
  } catch (error) {
    if (error instanceof OperationFailure) return refusal(error.message);
    throw error;
  }
}

function submit({ network, injectFaults }: EscrowProviderDeps, request: WebRequest): RouteResponse | Promise<RouteResponse> {
  const parsed = requestShapes.sendTransaction.safeParse(jsonOf(request));
  if (!parsed.success) return refusal(faultsOf(parsed.error));
  const transaction = readTransaction(network, parsed.data.signedXdr);
  if ('status' in transaction) return transaction;
  const operation = operationOf(transaction);
  if (operation === undefined) return sendTransaction(network, transaction);
  return injectFaults({ target: 'escrow-provider', operation, kinds: submitKinds }, request, () =>
    sendTransaction(network, transaction),
  );
}

function faultsOf({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
