import { grouped } from './grouped.js';
import type { LandedStep } from './landed-steps.js';
import type { ProviderCall } from './provider-recorder.js';

export type Window = { readonly startedAt: number; readonly endedAt: number };

export type BudgetUse = {
  readonly calls: number;
  /** What the provider has allowed within the window, or what was called where a full bucket allowed more. */
  readonly allowed: number;
  /** Calls that every ended order needed. */
  readonly useful: number;
  readonly byRoute: ReadonlyMap<string, RouteUse>;
};

export type RouteUse = { readonly calls: number; readonly refused: number; readonly useful: number };

const minuteMs = 60_000;

/**
 * A call is useful if it succeeded, its order ended, and it was the last one of its kind for the order. If a transaction was built twice,
 * the first build was wasted. Only deployments must be reported to the indexer.
 */
export function budgetUse(
  calls: readonly ProviderCall[],
  ended: ReadonlyMap<string, readonly LandedStep[]>,
  { startedAt, endedAt }: Window,
  callsPerMinute: number,
): BudgetUse {
  const orders = orderOfSubject(ended);
  const last = new Map<string, ProviderCall>();
  for (const call of calls) {
    const orderId = orders.get(call.subject ?? '');
    if (orderId !== undefined && call.status < 300) last.set(`${orderId} ${call.route}`, call);
  }
  const useful = new Set(last.values());
  const within = calls.filter((call) => call.startedAt >= startedAt && call.startedAt < endedAt);
  const refilled = ((endedAt - startedAt) / minuteMs) * callsPerMinute;
  return {
    calls: within.length,
    allowed: Math.max(refilled, within.length),
    useful: within.filter((call) => useful.has(call)).length,
    byRoute: new Map([...grouped(within, ({ route }) => route)].map(([route, made]) => [route, routeUse(made, useful)])),
  };
}

function routeUse(made: readonly ProviderCall[], useful: ReadonlySet<ProviderCall>): RouteUse {
  return {
    calls: made.length,
    refused: made.filter(({ status }) => status >= 300).length,
    useful: made.filter((call) => useful.has(call)).length,
  };
}

/** A deployment names the order, later calls the contract, the update of the index the hash of the deployment. */
function orderOfSubject(ended: ReadonlyMap<string, readonly LandedStep[]>): ReadonlyMap<string, string> {
  return new Map(
    [...ended].flatMap(([orderId, steps]) => [
      [orderId, orderId] as const,
      ...steps.map(({ contractId }) => [contractId, orderId] as const),
      ...steps.filter(({ step }) => step === 'deploy').map(({ hash }) => [hash, orderId] as const),
    ]),
  );
}
