import { falsifyingKinds, isFalsifying, kindsIn, type FaultOperation } from '../control/fault-kinds.js';
import type { Faults } from '../control/faults.js';
import type { InjectFaults } from '../control/inject-faults.js';
import { escrowTypes } from '../domain/escrow.js';
import { OperationFailure, escrowNotFound } from '../domain/operation-failure.js';
import type { Network } from '../ledger-network/network.js';
import { kindsOfProviderSubmissions, submitWithFaults } from '../ledger-network/submit-with-faults.js';
import { jsonOf, type RouteResponse, type Route, type WebRequest } from '../web/route.js';
import { buildTransaction } from './build-transaction.js';
import type { CallLimit } from './call-limit.js';
import type { EscrowIndex } from './escrow-index.js';
import { falsify } from './falsify/falsify.js';
import type { ProviderCalls } from './provider-calls.js';
import { escrowBalances, escrowsByIds, escrowsBySigner, indexedEscrows, type IndexedEscrows } from './reads.js';
import { notFound, refusal, refusedFields, tooManyRequests } from './responses.js';
import { requestShapes } from './request-shapes.js';
import { readTransaction, sendTransaction, successResponse } from './send-transaction.js';
import { updateFromHash, updatePaths } from './update-from-hash.js';
import { escrowWrites, type Write } from './writes.js';

export type EscrowProviderDeps = {
  readonly network: Network;
  readonly index: EscrowIndex;
  readonly apiKey: string;
  readonly injectFaults: InjectFaults;
  readonly faults: Faults;
  readonly limit: CallLimit;
  readonly calls: ProviderCalls;
};

export const escrowProviderPath = '/escrow-provider';

/** A build call has no effect, so the after-effect kinds apply to the submission. */
const buildKinds = kindsIn('before', 'response');

export function escrowProviderRoutes(deps: EscrowProviderDeps): readonly Route[] {
  const { network, index, faults } = deps;
  const { store } = network;
  const guarded = (method: Route['method'], path: string, respond: Route['handler']): Route => ({
    method,
    path: `${escrowProviderPath}${path}`,
    handler: async (request) => {
      const response = guardOf(deps, request) ?? (await respond(request));
      deps.calls.count(`${method} ${path}`, response.status);
      return response;
    },
  });
  const read = (path: string, respond: (escrows: IndexedEscrows, query: URLSearchParams) => RouteResponse): Route =>
    guarded('GET', path, (request) =>
      deps.injectFaults({ target: 'escrow-provider', operation: 'read' }, request, () =>
        respond(indexedEscrows({ store, index, faults }), request.query),
      ),
    );
  const update = (method: 'PUT' | 'POST', path: string): Route =>
    guarded(method, path, (request) => updateFromHash(store, index, jsonOf(request)));
  return [
    ...escrowWrites(network).map((write) =>
      guarded('POST', write.path, (request) =>
        deps.injectFaults({ target: 'escrow-provider', operation: write.operation, kinds: buildKinds }, request, () =>
          build(deps, write, request),
        ),
      ),
    ),
    guarded('POST', '/helper/send-transaction', (request) => submit(deps, request)),
    read('/helper/get-escrow-by-contract-ids', escrowsByIds),
    read('/helper/get-escrows-by-signer', escrowsBySigner),
    read('/helper/get-multiple-escrow-balance', escrowBalances),
    ...escrowTypes.map((type) => read(`/escrow/${type}/get-multiple-escrow-balance`, escrowBalances)),
    ...updatePaths.flatMap((path) => [update('PUT', path), update('POST', path)]),
  ];
}

/** The refusal of a caller without the key, or above the limit. */
function guardOf({ apiKey, limit }: EscrowProviderDeps, { headers }: WebRequest): RouteResponse | undefined {
  if (headers['x-api-key'] !== apiKey) return refusal('Unauthorized', 401);
  const retryInMs = limit();
  return retryInMs === undefined ? undefined : tooManyRequests(retryInMs);
}

function build(deps: EscrowProviderDeps, write: Write, request: WebRequest): RouteResponse {
  try {
    const call = write.read(jsonOf(request));
    if ('faults' in call) return refusedFields(call.faults);
    if (!isKnown(deps, call.contractId)) return notFound();
    const honest = buildTransaction(deps.network, call);
    return { status: 200, json: { status: 'SUCCESS', unsignedTransaction: falsified(deps, write.operation, honest) } };
  } catch (error) {
    if (!(error instanceof OperationFailure)) throw error;
    return error.message === escrowNotFound ? notFound() : refusal(error.message);
  }
}

/** The provider builds calls of contracts that its index knows. Factories and other contracts are none of the index. */
function isKnown({ network, index }: EscrowProviderDeps, contractId: string): boolean {
  const escrow = network.store.find('escrows', contractId);
  return escrow === undefined || index.known(escrow) !== undefined;
}

/** The transaction as it was built, unless a fault falsifies it. */
function falsified({ faults, network }: EscrowProviderDeps, operation: FaultOperation, honest: string): string {
  const fault = faults.take({ target: 'escrow-provider', operation, kinds: falsifyingKinds });
  if (fault === undefined || !isFalsifying(fault.kind)) return honest;
  // The issuer can receive everything without a trustline, so that a falsified transaction would really pay it.
  return falsify(honest, { kind: fault.kind, strikes: fault.strikes, stranger: network.genesis.issuer.address });
}

function submit({ network, injectFaults }: EscrowProviderDeps, request: WebRequest): RouteResponse | Promise<RouteResponse> {
  const parsed = requestShapes.sendTransaction.safeParse(jsonOf(request));
  if (!parsed.success) return refusedFields(parsed.error);
  const transaction = readTransaction(network, parsed.data.signedXdr);
  if ('status' in transaction) return transaction;
  const submission = { transaction, submit: () => sendTransaction(network, transaction), claimSuccess: successResponse };
  return submitWithFaults(injectFaults, request, submission, kindsOfProviderSubmissions);
}
