import { StrKey } from '@stellar/stellar-sdk';
import type { InjectFaults } from '../control/inject-faults.js';
import { unitsPerWhole } from '../domain/units.js';
import type { LandedTransaction } from '../store/records.js';
import type { Route, RouteResponse, WebRequest } from '../web/route.js';
import { withoutEffect } from './apply-submitted-operation.js';
import { MalformedEnvelope } from './envelope.js';
import type { Faucet } from './faucet.js';
import { outerHash } from './find-transaction.js';
import { transactionView } from './history-views.js';
import { isoTime } from './iso-time.js';
import { landedTransaction } from './land.js';
import type { Network } from './network.js';
import {
  badRequest,
  failedTransaction,
  invalidTransaction,
  malformedTransaction,
  submissionTimeout,
  tryAgainLater,
} from './problem.js';
import { invalidResultXdr } from './result-xdr.js';
import { submitWithFaults } from './submit-with-faults.js';
import { NotLanded } from './submissions.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import { InvalidTransaction, feeOf } from './validity.js';
import { baseOf } from './paging.js';

export type SubmitDeps = { readonly network: Network; readonly faucet: Faucet; readonly injectFaults: InjectFaults };

const friendbotUnits = 10_000n * unitsPerWhole;

/** The routes of Horizon that change the ledger. */
export function submitRoutes(deps: SubmitDeps): readonly Route[] {
  const submitRoute = (path: string, { respond, claimSuccess }: Responses): Route => ({
    method: 'POST',
    path,
    handler: (request) =>
      deps.injectFaults({ target: 'ledger-network', operation: 'submit' }, request, () => {
        const transaction = readTransaction(deps.network, request);
        if ('status' in transaction) return transaction;
        return submitWithFaults(deps.injectFaults, request, {
          transaction,
          submit: () => respond(deps.network, transaction, baseOf(request)),
          claimSuccess: () => claimSuccess(deps.network, transaction, baseOf(request)),
        });
      }),
  });
  const fundByFriendbot = (request: WebRequest): RouteResponse => {
    const address = request.query.get('addr') ?? new URLSearchParams(request.body.toString('utf8')).get('addr') ?? '';
    if (!StrKey.isValidEd25519PublicKey(address)) return badRequest('addr', 'it is not an address');
    return landedResponse(deps.faucet.newAccount(address, friendbotUnits), baseOf(request));
  };
  return [
    submitRoute('/transactions', { respond: landedOrRefused, claimSuccess: claimedResponse }),
    submitRoute('/transactions_async', {
      respond: queuedOrRefused,
      claimSuccess: (_network, transaction) => queuedResponse(transaction, 'PENDING'),
    }),
    { method: 'GET', path: '/friendbot', handler: fundByFriendbot },
    { method: 'POST', path: '/friendbot', handler: fundByFriendbot },
  ];
}

type Respond<Response> = (network: Network, transaction: SubmittedTransaction, base: string) => Response;
type Responses = {
  readonly respond: Respond<RouteResponse | Promise<RouteResponse>>;
  readonly claimSuccess: Respond<RouteResponse>;
};

function readTransaction(network: Network, request: WebRequest): SubmittedTransaction | RouteResponse {
  const envelopeXdr = new URLSearchParams(request.body.toString('utf8')).get('tx') ?? '';
  try {
    return network.parse(envelopeXdr);
  } catch (error) {
    if (error instanceof MalformedEnvelope) return malformedTransaction(envelopeXdr, error.message);
    throw error;
  }
}

/** Waits for the ledger. */
async function landedOrRefused(network: Network, transaction: SubmittedTransaction, base: string): Promise<RouteResponse> {
  try {
    return landedResponse(await network.submit(transaction), base);
  } catch (error) {
    if (error instanceof InvalidTransaction) return invalidTransaction(transaction.envelopeXdr, error);
    if (!(error instanceof NotLanded)) throw error;
    return error.reason === 'timeout' ? submissionTimeout(transaction) : tryAgainLater();
  }
}

function landedResponse(landed: LandedTransaction, base: string): RouteResponse {
  return landed.failure === undefined ? { status: 200, json: transactionView(landed, base) } : failedTransaction(landed);
}

/** What a landed transaction would look like; it is in no ledger. */
function claimedResponse(network: Network, transaction: SubmittedTransaction, base: string): RouteResponse {
  const head = network.closedLedger();
  const closing = { head: { ...head, sequence: head.sequence + 1 }, closedAt: isoTime(head.closedAtMs), applicationOrder: 1 };
  const operations = transaction.operations.map(withoutEffect);
  const claimed = landedTransaction(transaction, feeOf(transaction), closing, { operations });
  return { status: 200, json: transactionView(claimed, base) };
}

/** Horizon's HTTP statuses for the results of queueing. */
const queueHttpStatus = { PENDING: 201, DUPLICATE: 409, TRY_AGAIN_LATER: 503, ERROR: 400 } as const;

function queuedOrRefused(network: Network, transaction: SubmittedTransaction): RouteResponse {
  try {
    return queuedResponse(transaction, network.queue(transaction));
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    return queuedResponse(transaction, 'ERROR', { error_result_xdr: invalidResultXdr(error) });
  }
}

function queuedResponse(transaction: SubmittedTransaction, status: keyof typeof queueHttpStatus, more = {}): RouteResponse {
  return { status: queueHttpStatus[status], json: { tx_status: status, hash: outerHash(transaction), ...more } };
}
