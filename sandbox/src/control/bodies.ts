import { z } from 'zod';
import { parseUnits, unitsOfNumber } from '../domain/units.js';
import { InvalidTransaction } from '../ledger-network/validity.js';
import type { LandedTransaction } from '../store/records.js';
import { jsonOf, type RouteResponse, type WebRequest } from '../web/route.js';

/** A number or a text; parsed to units. */
export const amount = z.union([z.number(), z.string()]).transform((value, context) => {
  const units = typeof value === 'number' ? unitsOfNumber(value) : parseUnits(value);
  if (units !== undefined && units > 0n) return units;
  context.addIssue({ code: 'custom', message: 'must be an amount above zero' });
  return z.NEVER;
});

export function withParsedBody<Schema extends z.ZodType>(
  schema: Schema,
  request: WebRequest,
  respond: (body: z.output<Schema>) => RouteResponse,
): RouteResponse {
  const parsed = schema.safeParse(jsonOf(request));
  if (parsed.success) return respond(parsed.data);
  const message = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return { status: 400, json: { message } };
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
