import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { baseCurrency, parseMoney, type Money } from '@holdfast/kernel/money';
import type { PayinOutcome, PayinUpdate, PayoutOutcome, PayoutUpdate } from '../domain/provider-updates.js';
import type { ProviderUser, StatementItem } from '../use-cases/provider-ports.js';
import { reasonOf } from './payment-errors.js';

/** The provider writes amounts as numbers, with at most two decimal places. */
const amountPattern = /^\d{1,11}(?:\.\d{1,2})?$/;

/**
 * `String` gives the shortest text of a number, which is what the provider has written, so nothing is rounded. More decimal places
 * than the currency has mean that the response is malformed.
 */
export const providerAmount = z.union([z.number(), z.string()]).transform((value, context): Money => {
  const text = String(value);
  if (amountPattern.test(text)) return parseMoney(text, baseCurrency);
  context.addIssue({ code: 'custom', message: 'must be an amount' });
  return z.NEVER;
});

export const optionalText = z
  .union([z.string(), z.number().transform(String)])
  .nullish()
  .transform((value) => value ?? null);

const payment = { id: z.string().min(1), code: optionalText, status: z.string() };

export const payinResponse = z.object({
  ...payment,
  amount: providerAmount,
  confirmationUri: z.string().optional(),
  failureReason: optionalText,
  airtmUserEmail: z.email().optional().catch(undefined),
});

export const payoutResponse = z.object({
  ...payment,
  amount: providerAmount,
  reasonCode: optionalText,
  reasonDescription: optionalText,
});

export const userResponse = z.object({ id: z.string().min(1), status: z.string(), isVerified: z.boolean().default(false) });

/** Only the amounts of final payments are used, so only those are parsed. */
const listedPayment = z.object({ ...payment, amount: z.unknown() });
export const pageResponse = z.object({ items: z.array(listedPayment), endCursor: z.string().nullish() });

/** The documented statuses, which are compared without case. One that is not listed here is not final. */
const payinOutcomes: Readonly<Record<string, PayinOutcome>> = {
  CREATED: 'open',
  PENDING: 'open',
  PROCESSING: 'processing',
  CONFIRMED: 'succeeded',
  FAILED: 'failed',
  BRIDGE_FAILED: 'failed',
  CANCELED: 'canceled',
  BRIDGE_CANCELED: 'canceled',
};

const payoutOutcomes: Readonly<Record<string, PayoutOutcome>> = {
  CREATED: 'created',
  COMMITTED: 'pending',
  PENDING: 'pending',
  PENDING_SIGNATURE: 'pending',
  SIGNED: 'pending',
  PROCESSING: 'pending',
  CANCEL_REQUESTED: 'pending',
  ERROR: 'pending',
  COSMOEM_COMPLETED: 'pending',
  PENDING_USER_ACTION: 'user-action',
  COMPLETED: 'completed',
  FAILED: 'failed',
  CANCELED: 'canceled',
};

/** The provider names these statuses of payouts as a group; the money is on its way. */
const bridgePrefix = 'BRIDGE_';
const statusLengthMax = 50;

function undocumented(status: string): { readonly undocumentedStatus: string } {
  return { undocumentedStatus: status.slice(0, statusLengthMax) };
}

export const confirmedStatus = 'CONFIRMED';
export const completedStatus = 'COMPLETED';

export function toPayin(response: z.output<typeof payinResponse>): PayinUpdate {
  const { id, code, status, amount, confirmationUri, failureReason, airtmUserEmail: payerEmail } = response;
  const outcome = payinOutcomes[status.toUpperCase()];
  return {
    providerId: id,
    code,
    amount,
    outcome: outcome ?? 'open',
    reason: reasonOf(null, failureReason),
    ...(outcome === undefined ? undocumented(status) : {}),
    ...(confirmationUri === undefined ? {} : { confirmationUri }),
    ...(payerEmail === undefined ? {} : { payerEmail }),
  };
}

export function toPayout(response: z.output<typeof payoutResponse>): PayoutUpdate {
  const { id, code, status, amount, reasonCode, reasonDescription } = response;
  const known = status.toUpperCase().startsWith(bridgePrefix) ? 'pending' : payoutOutcomes[status.toUpperCase()];
  const reason = reasonOf(reasonCode, reasonDescription);
  const odd = known === undefined ? undocumented(status) : {};
  return { providerId: id, code, amount, outcome: known ?? 'pending', reason, ...odd };
}

export function toUser({ id, status, isVerified }: z.output<typeof userResponse>): ProviderUser {
  return { id, isActive: status.toLowerCase() === 'active', isVerified };
}

/** The payments of a page that have the given final status. */
export function toStatement(items: z.output<typeof pageResponse>['items'], finalStatus: string): readonly StatementItem[] {
  return items
    .filter(({ status }) => status.toUpperCase() === finalStatus)
    .map(({ id, code, amount }) => ({ providerId: id, code, amount: amountOf(amount) }));
}

function amountOf(amount: unknown): Money {
  const parsed = providerAmount.safeParse(amount);
  if (parsed.success) return parsed.data;
  throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: parsed.error });
}
