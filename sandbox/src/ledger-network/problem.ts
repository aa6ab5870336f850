import type { FaultResponses } from '../control/inject-faults.js';
import type { RouteResponse } from '../web/route.js';
import type { InvalidTransaction } from './validity.js';
import type { LandedTransaction } from '../store/records.js';
import { failedResultXdr, invalidResultXdr } from './result-xdr.js';

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

export function invalidTransaction(envelopeXdr: string, { code, feeUnits }: InvalidTransaction): RouteResponse {
  const detail = 'The transaction is not valid and left no trace. The `extras.result_codes` field says why.';
  return problem(
    { ...failed, detail },
    { envelope_xdr: envelopeXdr, result_codes: { transaction: code }, result_xdr: invalidResultXdr(code, feeUnits) },
  );
}

export function failedTransaction(landed: LandedTransaction): RouteResponse {
  const detail = `The transaction is in a ledger, but failed: ${landed.failure?.reason ?? ''}`;
  return problem(
    { ...failed, detail },
    {
      hash: landed.hash,
      envelope_xdr: landed.envelopeXdr,
      result_codes: { transaction: 'tx_failed', operations: landed.failure?.operationCodes ?? [] },
      result_xdr: failedResultXdr(landed),
    },
  );
}

function rateLimited(): RouteResponse {
  const detail = 'The rate limit for the requesting address is over its alloted limit.';
  return problem({ status: 429, name: 'rate_limit_exceeded', title: 'Rate Limit Exceeded', detail });
}

/** Horizon's response when the outcome of a submission is unknown. */
function submissionTimeout(): RouteResponse {
  const detail = 'Your request timed out before the transaction was seen in a ledger. It may still land.';
  return problem({ status: 504, name: 'timeout', title: 'Timeout', detail });
}

function serverError(): RouteResponse {
  const detail = 'An error occurred while processing this request.';
  return problem({ status: 500, name: 'server_error', title: 'Internal Server Error', detail });
}

export const networkFaultResponses: FaultResponses = {
  failedBefore: serverError,
  failedAfter: submissionTimeout,
  rateLimited,
};
