import { z } from 'zod';
import { baseCurrency, parseMoney, parseUnits, type Money } from '@holdfast/kernel/money';
import type { PayinOutcome, PayinUpdate, PayoutOutcome, PayoutUpdate } from '../domain/provider-updates.js';
import type { ProviderUser, Statement, StatementItem, UnreadableItem } from '../use-cases/provider-ports.js';
import { reasonOf } from './payment-errors.js';

/** The provider writes amounts as numbers. Its own amounts have two decimal places; other amounts may have as many as a token has. */
const places = 7;
const amountPattern = /^\d{1,11}(?:\.\d{1,7})?$/;

/** Nothing is rounded: more decimal places than a token has mean that the amount cannot be read. */
export const providerAmount = z.union([z.number(), z.string()]).transform((value, context): Money => {
  const text = textOf(value);
  if (amountPattern.test(text)) return parseMoney(text, baseCurrency);
  context.addIssue({ code: 'custom', message: 'must be an amount' });
  return z.NEVER;
});

/** `String` gives the shortest text of a number, as the provider has written it. Only tiny numbers get an exponent. */
function textOf(value: number | string): string {
  if (typeof value === 'string' || !String(value).includes('e-')) return String(value);
  const fixed = value.toFixed(places);
  return Number(fixed) === value ? fixed : String(value);
}

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
const listedPayment = z.object({ ...payment, amount: z.unknown().optional(), airtmFee: z.unknown().optional() });
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

type About = UnreadableItem['about'];
type Listed = {
  readonly items: readonly StatementItem[];
  readonly unreadable: readonly UnreadableItem[];
  readonly pending: readonly StatementItem[];
};

const finalStatuses = { payin: 'CONFIRMED', payout: 'COMPLETED' } as const;
/** A payout with another status has left the balance, or will. */
const unspentStatuses: readonly string[] = ['CREATED', 'COMPLETED', 'FAILED', 'CANCELED'];

/** A balance may be below zero. */
export const balanceResponse = z
  .object({ balance: z.union([z.number(), z.string()]) })
  .transform(({ balance }, context): bigint => {
    const text = textOf(balance);
    if (/^-?\d{1,14}(?:\.\d{1,7})?$/.test(text)) return parseUnits(text);
    context.addIssue({ code: 'custom', message: 'must be an amount' });
    return z.NEVER;
  });

/** The payments of a page that have their final status. */
export function toListed(items: z.output<typeof pageResponse>['items'], about: About): Listed {
  const read = items.map(({ id, code, status, amount, airtmFee }) => ({
    status: status.toUpperCase(),
    ref: { providerId: id, code },
    amount: providerAmount.safeParse(amount).data,
    feeUnits: providerAmount.safeParse(airtmFee).data?.units ?? 0n,
  }));
  const readable = (wanted: typeof read): readonly StatementItem[] =>
    wanted.flatMap(({ ref, amount, feeUnits }) => (amount === undefined ? [] : [{ ...ref, amount, feeUnits }]));
  const final = read.filter(({ status }) => status === finalStatuses[about]);
  return {
    items: readable(final),
    unreadable: final.flatMap(({ ref, amount }) => (amount === undefined ? [{ about, ...ref }] : [])),
    pending: about === 'payin' ? [] : readable(read.filter(({ status }) => !unspentStatuses.includes(status))),
  };
}

export function toStatement(payins: readonly Listed[], payouts: readonly Listed[]): Statement {
  return {
    payins: payins.flatMap(({ items }) => items),
    payouts: payouts.flatMap(({ items }) => items),
    unreadable: [...payins, ...payouts].flatMap(({ unreadable }) => unreadable),
    pendingPayouts: payouts.flatMap(({ pending }) => pending),
  };
}
