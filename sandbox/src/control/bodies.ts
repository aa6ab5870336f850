import { z } from 'zod';
import { InvalidTransaction } from '../ledger-network/validity.js';
import type { LandedTransaction } from '../store/records.js';
import { jsonOf, type RouteResponse, type WebRequest } from '../web/route.js';
import { faultsOf, positiveAmountIn } from '../web/shapes.js';

/** A number or a text; parsed to units. */
export const amount = positiveAmountIn(z.union([z.number(), z.string()]));

const referenceLengthMax = 200;
/** A repeated request with the same reference has no further effect. */
export const reference = z.string().min(1).max(referenceLengthMax).optional();

export function withParsedBody<Schema extends z.ZodType>(
  schema: Schema,
  request: WebRequest,
  respond: (body: z.output<Schema>) => RouteResponse,
): RouteResponse {
  const parsed = schema.safeParse(jsonOf(request));
  if (parsed.success) return respond(parsed.data);
  return { status: 400, json: { message: faultsOf(parsed.error) } };
}

/** The hash of a transaction of the sandbox's own accounts, or why it has not succeeded. */
export function landedResponse(submit: () => LandedTransaction): RouteResponse {
  try {
    const { hash, failure } = submit();
    if (failure === undefined) return { status: 200, json: { hash } };
    return { status: 400, json: { message: failure.reason, codes: failure.operationCodes } };
  } catch (error) {
    if (error instanceof InvalidTransaction) return { status: 400, json: { message: error.code } };
    throw error;
  }
}
