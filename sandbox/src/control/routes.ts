import { z } from 'zod';
import type { ProviderCalls } from '../escrow-provider/provider-calls.js';
import type { Faucet } from '../ledger-network/faucet.js';
import type { Network } from '../ledger-network/network.js';
import type { Stranger } from '../ledger-network/stranger.js';
import { feeUnitsPerOperation } from '../ledger-network/validity.js';
import type { Payments } from '../payment-provider/payments.js';
import { refusable } from '../payment-provider/routes.js';
import { payinView, payoutView } from '../payment-provider/views.js';
import type { RouteResponse, Route, WebRequest } from '../web/route.js';
import { accountAddress } from '../web/shapes.js';
import { amount, landedResponse, reference, withParsedBody } from './bodies.js';
import { contractRoutes } from './contract-routes.js';
import { faultRequest } from './fault-request.js';
import type { Faults } from './faults.js';
import { operationRoutes } from './operation-routes.js';
import { stateView } from './state-view.js';

export type ControlDeps = {
  readonly network: Network;
  readonly faucet: Faucet;
  readonly stranger: Stranger;
  readonly payments: Payments;
  readonly faults: Faults;
  readonly calls: ProviderCalls;
  readonly checkoutBase: () => string;
};

export const controlPath = '/_sandbox';

const minimumBidMax = 1_000_000_000;
/** Stroops per operation. */
const fees = z.strictObject({ minimumBid: z.number().int().min(Number(feeUnitsPerOperation)).max(minimumBidMax) });
const faucetRequest = z.strictObject({
  address: accountAddress,
  asset: z.enum(['XLM', 'USDC']),
  amount,
  reference,
});
/** Another amount than the payin asked for may arrive, and from a payer who is not named. */
const received = z.object({ amount: amount.optional(), payerEmail: z.email().nullable().optional() });
const reason = z.object({ reason: z.string().optional() });

export function controlRoutes(deps: ControlDeps): readonly Route[] {
  const { faults, payments } = deps;
  const route = (method: Route['method'], path: string, respond: (request: WebRequest) => RouteResponse): Route => ({
    method,
    path: `${controlPath}${path}`,
    handler: respond,
  });
  return [
    route('POST', '/faults', (request) =>
      withParsedBody(faultRequest, request, (body) => ({ status: 201, json: faults.add(body) })),
    ),
    route('GET', '/faults', () => ({ status: 200, json: faults.list() })),
    route('DELETE', '/faults', () => {
      faults.clear();
      return { status: 204 };
    }),
    route('POST', '/faucet', (request) => withParsedBody(faucetRequest, request, (body) => payFromFaucet(deps, body))),
    ...operationRoutes(deps.stranger, controlPath),
    ...contractRoutes(deps.network, controlPath),
    route('POST', '/fees', (request) =>
      withParsedBody(fees, request, ({ minimumBid }) => {
        deps.network.setMinimumBid(BigInt(minimumBid));
        return { status: 200, json: { minimumBid } };
      }),
    ),
    route('GET', '/state', () => ({ status: 200, json: stateView(deps) })),
    route('POST', '/payins/:id/confirm', (request) =>
      withParsedBody(received, request, (body) =>
        refusable(() => {
          const payin = payments.receivePayin(request.params['id'] ?? '', body);
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

function payFromFaucet({ faucet, network }: ControlDeps, request: z.output<typeof faucetRequest>): RouteResponse {
  const { address, asset, amount: units, reference: key } = request;
  const paid = key === undefined ? undefined : network.store.find('faucetPayments', key);
  if (paid !== undefined) return { status: 200, json: { hash: paid.transactionHash } };
  return landedResponse(() => {
    const landed = asset === 'XLM' ? faucet.native(address, units) : faucet.usdc(address, units);
    if (key !== undefined && landed.failure === undefined) keepReference(network, key, landed.hash);
    return landed;
  });
}

function keepReference({ store }: Network, key: string, transactionHash: string): void {
  const tx = store.begin();
  tx.put('faucetPayments', key, { transactionHash });
  tx.commit();
}
