import type { FaultResponses } from '../control/inject-faults.js';
import type { RouteResponse } from '../web/route.js';
import type { SubmittedTransaction } from './submitted-transaction.js';
import type { InvalidTransaction } from './validity.js';
import type { LandedTransaction } from '../store/records.js';
import { outerHash } from './find-transaction.js';
import { landedResultXdr, invalidResultXdr } from './result-xdr.js';

const typeBase = 'https://stellar.org/horizon-errors/';
const problemType = 'application/problem+json';

type Problem = { readonly status: number; readonly name: string; readonly title: string; readonly detail: string };

/** An error response in Horizon's format. */
function problem({ status, name, title, detail }: Problem, extras?: Readonly<Record<string, unknown>>): RouteResponse {
  const json = { type: `${typeBase}${name}`, title, status, detail, ...(extras === undefined ? {} : { extras }) };
  return { status, json, contentType: problemType };
}

export function notFound(): RouteResponse {
  return problem({ status: 404, name: 'not_found', title: 'Resource Missing', detail: 'The resource was not found.' });
}

export function badRequest(field: string, reason: string): RouteResponse {
  const problemFacts = { status: 400, name: 'bad_request', title: 'Bad Request', detail: 'The request was not valid.' };
  return problem(problemFacts, { invalid_field: field, reason });
}

export function malformedTransaction(envelopeXdr: string, detail: string): RouteResponse {
  const facts = { status: 400, name: 'transaction_malformed', title: 'Transaction Malformed', detail };
  return problem(facts, { envelope_xdr: envelopeXdr });
}

const failed = { status: 400, name: 'transaction_failed', title: 'Transaction Failed' } as const;

export function invalidTransaction(envelopeXdr: string, invalid: InvalidTransaction): RouteResponse {
  const detail = 'The transaction is not valid and left no trace. The `extras.result_codes` field says why.';
  return problem(
    { ...failed, detail },
    {
      envelope_xdr: envelopeXdr,
      result_codes: codesOf(invalid.code, invalid.innerHash !== undefined),
      result_xdr: invalidResultXdr(invalid),
    },
  );
}

export function failedTransaction(landed: LandedTransaction): RouteResponse {
  const detail = `The transaction is in a ledger, but failed: ${landed.failure?.reason ?? ''}`;
  return problem(
    { ...failed, detail },
    {
      hash: outerHash(landed),
      envelope_xdr: landed.envelopeXdr,
      result_codes: {
        ...codesOf(landed.failure?.code ?? 'tx_failed', landed.feeBump !== undefined),
        ...(landed.failure?.code === undefined ? { operations: landed.failure?.operationCodes ?? [] } : {}),
      },
      result_xdr: landedResultXdr(landed),
    },
  );
}

function codesOf(code: string, isInner: boolean) {
  return isInner ? { transaction: 'tx_fee_bump_inner_failed', inner_transaction: code } : { transaction: code };
}

function rateLimited(): RouteResponse {
  const detail = 'The rate limit for the requesting address is over its alloted limit.';
  return problem({ status: 429, name: 'rate_limit_exceeded', title: 'Rate Limit Exceeded', detail });
}

/** Horizon's response when the outcome of a submission is unknown. */
export function submissionTimeout(transaction: SubmittedTransaction): RouteResponse {
  const detail = 'Your request timed out before the transaction was seen in a ledger. It may still land.';
  const facts = { status: 504, name: 'transaction_submission_timeout', title: 'Transaction Submission Timeout', detail };
  return problem(facts, { hash: outerHash(transaction), envelope_xdr: transaction.envelopeXdr });
}

export function tryAgainLater(): RouteResponse {
  const detail = 'The network does not take the transaction now. Nothing was queued.';
  return problem({ status: 503, name: 'try_again_later', title: 'Try Again Later', detail });
}

/** A time-out of whatever call, which does not say what has happened. */
function timeout(): RouteResponse {
  const detail = 'Your request timed out before the transaction was seen in a ledger. It may still land.';
  return problem({ status: 504, name: 'timeout', title: 'Timeout', detail });
}

function serverError(): RouteResponse {
  const detail = 'An error occurred while processing this request.';
  return problem({ status: 500, name: 'server_error', title: 'Internal Server Error', detail });
}

export const networkFaultResponses: FaultResponses = {
  failedBefore: serverError,
  failedAfter: timeout,
  rateLimited,
};

/** Horizon's response while it cannot show its history. */
function stillIngesting(): RouteResponse {
  const detail =
    'Data cannot be presented because it is still being ingested. Please wait for several minutes before trying again.';
  return problem({ status: 503, name: 'still_ingesting', title: 'Still Ingesting', detail });
}

export const historyFaultResponses: FaultResponses = { ...networkFaultResponses, failedBefore: stillIngesting };
