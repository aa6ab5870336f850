import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FaultOperation } from '../control/fault-kinds.js';
import type { InjectFaults } from '../control/inject-faults.js';
import type { Payin, PayinMove, Payout } from '../domain/payment.js';
import { numberOfUnits, unitsOfNumber } from '../domain/units.js';
import { jsonOf, type RouteResponse, type Route, type WebRequest } from '../web/route.js';
import { faultsOf, positiveAmountIn } from '../web/shapes.js';
import { checkoutPage } from './checkout-page.js';
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
const descriptionLengthMax = 250;
const text = z.string().max(textLengthMax);
const amount = positiveAmountIn(z.number());
const code = text.min(1);

const item = z.object({ description: text, amount: z.number().min(0.01), quantity: z.int().positive() });
const newPayin = z
  .object({
    code,
    amount,
    description: z.string().min(1).max(descriptionLengthMax),
    items: z.array(item).min(1),
    confirmationUri: z.url(),
    cancelUri: z.url(),
  })
  .refine(({ amount: units, items }) => units === totalUnits(items), {
    path: ['amount'],
    message: 'must be the sum of the items',
  });
const newPayout = z.object({
  code: code.optional(),
  amount,
  airtmUserEmail: text.min(1),
  notes: text.min(1),
  internalNote: text.optional(),
  commit: z.boolean().default(false),
});

function totalUnits(items: readonly z.output<typeof item>[]): bigint {
  return items.reduce((sum, { amount: each, quantity }) => sum + (unitsOfNumber(each) ?? 0n) * BigInt(quantity), 0n);
}

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
      if (!isAuthenticated(deps, request)) return paymentError('415904');
      if (operation === undefined) return refusable(() => respond(request));
      return injectFaults({ target: 'payment-provider', operation }, request, () => refusable(() => respond(request)));
    },
  });
  const payin = (record: Payin): RouteResponse => ({ status: 200, json: payinView(record, deps.checkoutBase()) });
  const payout = (record: Payout): RouteResponse => ({ status: 200, json: payoutView(record) });
  const id = ({ params }: WebRequest): string => params['id'] ?? '';
  return [
    route('POST', '/payins', 'create-payin', (request) => {
      const { amount: units, confirmationUri, cancelUri, ...rest } = parsed(newPayin, request);
      return payin(payments.createPayin({ ...rest, units, returnUri: confirmationUri, cancelUri }));
    }),
    route('GET', '/payins', 'read', ({ query }) => ({
      status: 200,
      json: listOf(payments.payins(), query, (each) => payinView(each, deps.checkoutBase())),
    })),
    route('GET', '/payins/:id', 'read', (request) => payin(payments.payin(id(request)))),
    route('GET', '/payins/by-code/:code', 'read', ({ params }) => payin(payments.payinByCode(params['code'] ?? ''))),
    route('DELETE', '/payins/:id', undefined, (request) => payin(payments.movePayin(id(request), 'cancel'))),
    route('POST', '/payouts', 'create-payout', (request) => {
      const { amount: units, commit: isCommitted, airtmUserEmail: email, notes, ...optional } = parsed(newPayout, request);
      const { code: ownCode, internalNote } = optional;
      return payout(payments.createPayout({ code: ownCode, units, email, notes, internalNote, isCommitted }));
    }),
    route('GET', '/payouts', 'read', ({ query }) => ({ status: 200, json: listOf(payments.payouts(), query, payoutView) })),
    route('GET', '/payouts/:id', 'read', (request) => payout(payments.payout(id(request)))),
    route('GET', '/payouts/by-code/:code', 'read', ({ params }) => payout(payments.payoutByCode(params['code'] ?? ''))),
    route('POST', '/payouts/:id/commit', 'commit', (request) => {
      payments.movePayout(id(request), 'commit');
      return { status: 204 };
    }),
    route('DELETE', '/payouts/:id', undefined, (request) => payout(payments.movePayout(id(request), 'cancel'))),
    route('GET', '/me', 'read', () => ({ status: 200, json: { id: 'sandbox', balance: numberOfUnits(payments.float()) } })),
    route('GET', '/me/balance', 'read', () => ({ status: 200, json: { balance: numberOfUnits(payments.float()) } })),
    route('GET', '/users/:email', 'read', ({ params }) => userResponse(params['email'] ?? '')),
    ...checkoutRoutes(payments),
  ];
}

const declined = 'The payment was declined.';

/** The pages of the payer, without credentials and faults. */
function checkoutRoutes(payments: Payments): readonly Route[] {
  const path = `${paymentProviderPath}/checkout/:id`;
  const idOf = ({ params }: WebRequest): string => params['id'] ?? '';
  const decide = (move: PayinMove) => (request: WebRequest) =>
    refusable(() => {
      const payin = payments.movePayin(idOf(request), move, move === 'fail' ? declined : undefined);
      return { status: 303, headers: { Location: move === 'cancel' ? payin.cancelUri : payin.returnUri } };
    });
  return [
    { method: 'GET', path, handler: (request) => refusable(() => checkoutPage(payments.payin(idOf(request)))) },
    ...(['confirm', 'fail', 'cancel'] as const).map((move): Route => ({
      method: 'POST',
      path: `${path}/${move}`,
      handler: decide(move),
    })),
  ];
}

function isAuthenticated({ user, password }: PaymentProviderDeps, { headers }: WebRequest): boolean {
  return headers.authorization === `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

function parsed<Schema extends z.ZodType>(schema: Schema, request: WebRequest): z.output<Schema> {
  const result = schema.safeParse(jsonOf(request));
  if (result.success) return result.data;
  throw new PaymentRefusal('415901', faultsOf(result.error));
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
  if (email.startsWith('unknown')) return paymentError('415010');
  const id = createHash('sha256').update(email.toLowerCase()).digest('hex').slice(0, 32);
  const status = email.startsWith('inactive') ? 'inactive' : 'active';
  return { status: 200, json: { id, email, status, isVerified: !email.startsWith('unverified') } };
}
