import { z } from 'zod';
import { entryLifeMax, entryNames, type Lifetimes } from '../domain/lifetimes.js';
import type { Network } from '../ledger-network/network.js';
import { jsonOf, type Route, type RouteResponse, type WebRequest } from '../web/route.js';

const remaining = z.strictObject({ ledgers: z.number().int().nonnegative().max(entryLifeMax) });

/** Routes that end the life of a contract's entries, which takes months otherwise. */
export function contractRoutes(network: Network, path: string): readonly Route[] {
  return [
    { method: 'POST', path: `${path}/contracts/:id/archive`, handler: (request) => setLife(network, request, -1) },
    {
      method: 'POST',
      path: `${path}/contracts/:id/ttl`,
      handler: (request) => {
        const parsed = remaining.safeParse(jsonOf(request));
        if (!parsed.success) return { status: 400, json: { message: 'ledgers: must be a whole number of ledgers' } };
        return setLife(network, request, parsed.data.ledgers);
      },
    },
  ];
}

/** Sets the number of ledgers after the last closed one in which the entries of a contract live. */
function setLife({ store, closedLedger }: Network, request: WebRequest, ledgers: number): RouteResponse {
  const contractId = request.params['id'] ?? '';
  const lifetimes = store.find('lifetimes', contractId);
  if (lifetimes === undefined) return { status: 404, json: { message: 'The contract does not exist' } };
  const liveUntilLedger = closedLedger().sequence + ledgers;
  const entries = entryNames.flatMap((name) => {
    const lifetime = lifetimes[name];
    return lifetime === undefined ? [] : [[name, { ...lifetime, liveUntilLedger }] as const];
  });
  const changed: Lifetimes = Object.fromEntries(entries);
  const transaction = store.begin();
  transaction.put('lifetimes', contractId, changed);
  transaction.commit();
  return { status: 200, json: { contractId, liveUntilLedger } };
}
