import { StrKey } from '@stellar/stellar-sdk';
import { z } from 'zod';
import { parseUnits, unitsOfNumber } from '../domain/units.js';
import type { Faucet } from '../ledger-network/faucet.js';
import type { Network } from '../ledger-network/network.js';
import { InvalidTransaction } from '../ledger-network/validity.js';
import type { Payments } from '../payment-provider/payments.js';
import { refusable } from '../payment-provider/routes.js';
import { payinView, payoutView } from '../payment-provider/views.js';
import { jsonOf, type RouteResponse, type Route, type WebRequest } from '../web/route.js';
import { faultKinds, faultTargets, type FaultOperation, type Faults } from './faults.js';
import { stateView } from './state-view.js';

export type ControlDeps = {
  readonly network: Network;
  readonly faucet: Faucet;
  readonly payments: Payments;
  readonly faults: Faults;
  readonly checkoutBase: () => string;
};

export const controlPath = '/_sandbox';

const latencyMsMax = 10 * 60_000;
const operations = [...faultTargets['escrow-provider'], ...faultTargets['ledger-network'], ...faultTargets['payment-provider']];
const fault = z
  .strictObject({
    target: z.enum(['escrow-provider', 'ledger-network', 'payment-provider']),
    operation: z.enum(operations).optional(),
    kind: z.enum([...faultKinds.before, ...faultKinds.after]),
    times: z.number().int().positive().optional(),
    probability: z.number().min(0).max(1).optional(),
    latencyMs: z.number().int().nonnegative().max(latencyMsMax).optional(),
  })
  .refine(({ target, operation }) => operation === undefined || operationsOf(target).includes(operation), {
    path: ['operation'],
    message: 'the target has no such operation',
  });

function operationsOf(target: keyof typeof faultTargets): readonly FaultOperation[] {
  return faultTargets[target];
}

const amount = z.union([z.number(), z.string()]).transform((value, context) => {
  const units = typeof value === 'number' ? unitsOfNumber(value) : parseUnits(value);
  if (units !== undefined && units > 0n) return units;
  context.addIssue({ code: 'custom', message: 'must be an amount above zero' });
  return z.NEVER;
});
const faucetRequest = z.strictObject({
  address: z.string().refine((text) => StrKey.isValidEd25519PublicKey(text), 'must be the address of an account'),
  asset: z.enum(['XLM', 'USDC']),
  amount,
});
/** Another amount than the payin asked for may arrive. */
const received = z.object({ amount: amount.optional() });
const reason = z.object({ reason: z.string().optional() });

export function controlRoutes(deps: ControlDeps): readonly Route[] {
  const { faults, payments } = deps;
  const route = (method: Route['method'], path: string, respond: (request: WebRequest) => RouteResponse): Route => ({
    method,
    path: `${controlPath}${path}`,
    handler: respond,
  });
  return [
    route('POST', '/faults', (request) => withParsedBody(fault, request, (body) => ({ status: 201, json: faults.add(body) }))),
    route('GET', '/faults', () => ({ status: 200, json: faults.list() })),
    route('DELETE', '/faults', () => {
      faults.clear();
      return { status: 204 };
    }),
    route('POST', '/faucet', (request) => withParsedBody(faucetRequest, request, (body) => payFromFaucet(deps, body))),
    route('GET', '/state', () => ({ status: 200, json: stateView(deps) })),
    route('POST', '/payins/:id/confirm', (request) =>
      withParsedBody(received, request, (body) =>
        refusable(() => {
          const payin = payments.receivePayin(request.params['id'] ?? '', body.amount);
          return { status: 200, json: payinView(payin, deps.checkoutBase()) };
        }),
      ),
    ),
    ...(['fail', 'cancel'] as const).map((move) =>
      route('POST', `/payins/:id/${move}`, (request) =>
        withParsedBody(reason, request, (body) =>
          refusable(() => {
            const payin = payments.movePayin(request.params['id'] ?? '', move, body.reason);
            return { status: 200, json: payinView(payin, deps.checkoutBase()) };
          }),
        ),
      ),
    ),
    route('POST', '/payouts/:id/complete', (request) =>
      refusable(() => ({ status: 200, json: payoutView(payments.completePayout(request.params['id'] ?? '')) })),
    ),
    ...(['fail', 'require-action', 'resume'] as const).map((move) =>
      route('POST', `/payouts/:id/${move}`, (request) =>
        withParsedBody(reason, request, (body) =>
          refusable(() => ({
            status: 200,
            json: payoutView(payments.movePayout(request.params['id'] ?? '', move, body.reason)),
          })),
        ),
      ),
    ),
  ];
}

function withParsedBody<Schema extends z.ZodType>(
  schema: Schema,
  request: WebRequest,
  respond: (body: z.output<Schema>) => RouteResponse,
): RouteResponse {
  const parsed = schema.safeParse(jsonOf(request));
  if (parsed.success) return respond(parsed.data);
  const message = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return { status: 400, json: { message } };
}

function payFromFaucet(
  { faucet }: ControlDeps,
  { address, asset, amount: units }: z.output<typeof faucetRequest>,
): RouteResponse {
  try {
    const landed = asset === 'XLM' ? faucet.native(address, units) : faucet.usdc(address, units);
    const { hash, failure } = landed;
    if (failure === undefined) return { status: 200, json: { hash } };
    return { status: 400, json: { message: failure.reason, codes: failure.operationCodes } };
  } catch (error) {
    if (error instanceof InvalidTransaction) return { status: 400, json: { message: error.code } };
    throw error;
  }
}
