import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { HttpStatusError } from '@holdfast/http/client';
import type { ProviderReason } from '../domain/provider-updates.js';
import { ProviderRefused } from '../use-cases/provider-ports.js';

/** Why the provider refuses a request for good, in words for users, where it sends no text of its own. */
const refusalTexts: Readonly<Record<string, string>> = {
  '415005': 'The payment provider does not know this payout.',
  '415010': 'The payment provider does not know this account.',
  '415016': 'The payout cannot be made at the moment.',
  '415030': 'This payment can no longer be canceled.',
  '415031': 'The payment provider does not know this payment.',
  '415032': 'This payment is completed.',
  '415034': 'The balance of the payment account is too low.',
  '415035': 'The amount is outside the limits of the payment account.',
  '415053': 'Payments from the country of this payment account are not possible.',
  '415055': 'This payout can no longer be canceled.',
  '415057': 'The amount is outside the limits of the payment account.',
  '415058': 'The amount is outside the limits of the payment account.',
  '415059': 'The payment account cannot receive payouts.',
  '415060': 'The payment account cannot receive payouts.',
  '415061': 'The payment account cannot receive payouts.',
  '415065': 'The payment account cannot receive payouts.',
  '415103': 'The payment account cannot receive payouts.',
  '415912': 'The owner of the payment account has not signed up yet.',
};
const refusalTextDefault = 'The payment provider has refused the request.';

const notFoundCodes: ReadonlySet<string> = new Set(['415005', '415010', '415031']);

/**
 * Codes that say nothing about the outcome of this request: a payment with this code exists, or was processed, so that an earlier
 * request has been successful; the credentials are wrong; or the provider does not know what happened.
 */
const unknownOutcomeCodes: ReadonlySet<string> = new Set(['415027', '415029', '415056', '415904', '415905', '415998', '415999']);

/** Statuses that may pass: wrong credentials are corrected by an operator, the others by time. */
const passingStatuses: ReadonlySet<number> = new Set([401, 403, 408, 425, 429]);

/** The provider sends its codes as text; a number is accepted too. */
const errorBody = z.object({
  code: z.union([z.string(), z.number().transform(String)]).pipe(z.string().regex(/^\d{6}$/)),
  message: z.string().optional().catch(undefined),
});

function codeOf({ body }: HttpStatusError): string | undefined {
  return errorBody.safeParse(body).data?.code;
}

/** A 404 that is not JSON comes from a proxy or a wrong URL, and says nothing about the payment. */
export function isNotFound(error: unknown): boolean {
  if (!(error instanceof HttpStatusError) || error.status >= 500) return false;
  const code = codeOf(error);
  return code === undefined ? error.status === 404 && error.body !== undefined : notFoundCodes.has(code);
}

/** A refusal for good is a 4xx response with a code. After any other one the outcome is unknown. */
export function toProviderError(error: unknown): unknown {
  if (!(error instanceof HttpStatusError)) return error;
  const code = error.status >= 500 || passingStatuses.has(error.status) ? undefined : codeOf(error);
  if (code === undefined || unknownOutcomeCodes.has(code)) {
    return new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }, { cause: error });
  }
  const given = neutralText(errorBody.safeParse(error.body).data?.message ?? '');
  return new ProviderRefused(code, given ?? refusalTexts[code] ?? refusalTextDefault, { cause: error });
}

/** The provider's text, else ours. Null where the provider gives no reason. */
export function reasonOf(code: string | null, text: string | null): ProviderReason | null {
  if (code === null && text === null) return null;
  const known = code === null ? undefined : refusalTexts[code];
  return { code, text: neutralText(text ?? '') ?? known ?? 'The payment provider gives no reason.' };
}

const textLengthMax = 300;
/** Also in addresses, such as a web site or its support address; an article before it stays. */
const vendorName = /(\b(?:the|an?|your|this|our) )?[\w.@:/-]*airtm(?:[\w@:/-]|\.\w)*/gi;

/** Users read the text, so it does not name the provider. Undefined without a text. */
function neutralText(text: string): string | undefined {
  const given = text.trim().slice(0, textLengthMax);
  const neutral = given.replaceAll(vendorName, (_, article: string | undefined, offset: number) =>
    article === undefined
      ? `${offset === 0 ? 'The' : 'the'} payment provider`
      : `${article.replace(/n $/i, ' ')}payment provider`,
  );
  return neutral === '' ? undefined : neutral;
}
