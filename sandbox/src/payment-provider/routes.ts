import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FaultOperation } from '../control/faults.js';
import type { InjectFaults } from '../control/inject-faults.js';
import { unitsOfNumber } from '../domain/units.js';
import { jsonOf, type RouteResponse, type Route, type WebRequest } from '../web/route.js';
import { afterCheckout, checkoutPage } from './checkout-page.js';
import { listOf } from './list.js';
import type { Payments } from './payments.js';
import { PaymentRefusal, paymentError } from './responses.js';
import { payinView, payoutView } from './views.js';

export type PaymentProviderDeps = {
  readonly payments: Payments;
  readonly user: string;
  readonly password: string;
  readonly checkoutBase: () => string;
  readonly injectFaults: InjectFaults;
};

export const paymentProviderPath = '/payment-provider';

const textLengthMax = 1_000;
const text = z.string().max(textLengthMax);
const amount = z.number().transform((value, context) => {
  const units = unitsOfNumber(value);
  if (units !== undefined && units > 0n) return units;
  context.addIssue({ code: 'custom', message: 'must be an amount above zero' });
  return z.NEVER;
});
const code = text.min(1);

const newPayin = z.object({
  code,
  amount,
  description: text.default(''),
  items: z.array(z.object({ description: text, amount: z.number(), quantity: z.number() })).default([]),
  confirmationUri: z.url().optional(),
  cancelUri: z.url().optional(),
});
const newPayout = z.object({ code, amount, email: text.min(1), notes: text.default(''), commit: z.boolean().default(false) });

export function paymentProviderRoutes(deps: PaymentProviderDeps): readonly Route[] {
  const { payments, injectFaults } = deps;
  const route = (
    method: Route['method'],
    path: string,
    operation: FaultOperation | undefined,
    respond: (request: WebRequest) => RouteResponse,
  ): Route => ({
    method,
    path: `${paymentProviderPath}${path}`,
    handler: (request) => {
      if (!isAuthenticated(deps, request)) return paymentError('401000');
      if (operation === undefined) return refusable(() => respond(request));
      return injectFaults({ target: 'payment-provider', operation }, request, () => refusable(() => respond(request)));
    },
  });
  const payin = (payin: ReturnType<Payments['payin']>, status = 200): RouteResponse => ({
    status,
    json: payinView(payin, deps.checkoutBase()),
  });
  const payout = (payout: ReturnType<Payments['payout']>, status = 200): RouteResponse => ({ status, json: payoutView(payout) });
  const id = ({ params }: WebRequest): string => params['id'] ?? '';
  return [
    route('POST', '/payins', 'create-payin', (request) => {
      const { amount: units, confirmationUri, cancelUri, ...rest } = parsed(newPayin, request);
      return payin(payments.createPayin({ ...rest, units, returnUri: confirmationUri, cancelUri }), 201);
    }),
    route('GET', '/payins', 'read', ({ query }) => ({
      status: 200,
      json: listOf(payments.payins(), query, (each) => payinView(each, deps.checkoutBase())),
    })),
    route('GET', '/payins/:id', 'read', (request) => payin(payments.payin(id(request)))),
    route('GET', '/payins/by-code/:code', 'read', ({ params }) => payin(payments.payinByCode(params['code'] ?? ''))),
    route('DELETE', '/payins/:id', undefined, (request) => payin(payments.movePayin(id(request), 'cancel'))),
    route('POST', '/payouts', 'create-payout', (request) => {
      const { amount: units, commit: isCommitted, ...rest } = parsed(newPayout, request);
      return payout(payments.createPayout({ ...rest, units, isCommitted }), 201);
    }),
    route('GET', '/payouts', 'read', ({ query }) => ({ status: 200, json: listOf(payments.payouts(), query, payoutView) })),
    route('GET', '/payouts/:id', 'read', (request) => payout(payments.payout(id(request)))),
    route('GET', '/payouts/by-code/:code', 'read', ({ params }) => payout(payments.payoutByCode(params['code'] ?? ''))),
    route('POST', '/payouts/:id/commit', 'commit', (request) => {
      payments.movePayout(id(request), 'commit');
      return { status: 204 };
    }),
    route('DELETE', '/payouts/:id', undefined, (request) => payout(payments.movePayout(id(request), 'cancel'))),
    route('GET', '/users/:email', 'read', ({ params }) => userResponse(params['email'] ?? '')),
    ...checkoutRoutes(payments),
  ];
}

/** The pages of the payer, without credentials and faults. */
function checkoutRoutes(payments: Payments): readonly Route[] {
  const path = `${paymentProviderPath}/checkout/:id`;
  const idOf = ({ params }: WebRequest): string => params['id'] ?? '';
  const decide = (move: 'confirm' | 'cancel') => (request: WebRequest) =>
    refusable(() => {
      const payin = payments.movePayin(idOf(request), move);
      return afterCheckout(payin, move === 'confirm' ? payin.returnUri : payin.cancelUri);
    });
  return [
    { method: 'GET', path, handler: (request) => refusable(() => checkoutPage(payments.payin(idOf(request)))) },
    { method: 'POST', path: `${path}/confirm`, handler: decide('confirm') },
    { method: 'POST', path: `${path}/cancel`, handler: decide('cancel') },
  ];
}

function isAuthenticated({ user, password }: PaymentProviderDeps, { headers }: WebRequest): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function parsed<Schema extends z.ZodType>(schema: Schema, request: WebRequest): z.output<Schema> {
  const result = schema.safeParse(jsonOf(request));
  if (result.success) return result.data;
  throw new PaymentRefusal('400000', result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '));
}

export function refusable(respond: () => RouteResponse): RouteResponse {
  try {
    return respond();
  } catch (error) {
    if (error instanceof PaymentRefusal) return paymentError(error.code, error.message);
    throw error;
  }
}

/** The prefix of an e-mail address decides the status of its user. */
function userResponse(email: string): RouteResponse {
  if (email.startsWith('unknown')) return paymentError('404001');
  const id = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
  const status = email.startsWith('inactive') ? 'inactive' : 'active';
  return { status: 200, json: { id, email, status, isVerified: !email.startsWith('unverified') } };
}
