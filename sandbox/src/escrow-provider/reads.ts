import { z } from 'zod';
import type { Faults } from '../control/faults.js';
import type { Escrow } from '../domain/escrow.js';
import { numberOfUnits } from '../domain/units.js';
import type { Store } from '../store/store.js';
import type { RouteResponse } from '../web/route.js';
import { accountAddress } from '../web/shapes.js';
import type { EscrowIndex } from './escrow-index.js';
import { listedEscrow } from './escrow-view.js';
import { notFound, refusal, refusedFields } from './responses.js';

const contractIdsMax = 50;
const addressesMax = 20;
const pageSize = 50;

// The sandbox's index never contradicts the chain by itself, so that the check changes nothing.
const validateOnChain = z.enum(['true', 'false']).optional();

/** The sandbox has only the filters of the real provider that find a contract again. It refuses the others instead of ignoring them. */
const queries = {
  byIds: z.object({ validateOnChain }),
  bySigner: z.strictObject({
    signer: accountAddress,
    engagementId: z.string().optional(),
    page: z.coerce.number().int().min(1).default(1),
    validateOnChain,
  }),
} as const;

/** The escrows as the provider's index shows them. */
export type IndexedEscrows = {
  readonly find: (contractId: string) => Escrow | undefined;
  /** Newest first. */
  readonly all: () => readonly Escrow[];
};

type IndexDeps = { readonly store: Store; readonly index: EscrowIndex; readonly faults: Faults };

/** The view for one read: of what the index knows, or of the state before each last change while `indexer-behind` strikes. */
export function indexedEscrows({ store, index, faults }: IndexDeps): IndexedEscrows {
  const isBehind = faults.take({ target: 'escrow-provider', operation: 'read', kinds: ['indexer-behind'] }) !== undefined;
  const shown = (escrow: Escrow | undefined): Escrow | undefined => {
    if (escrow === undefined) return undefined;
    return isBehind ? index.beforeLastChange(escrow) : index.known(escrow);
  };
  return {
    find: (contractId) => shown(store.find('escrows', contractId)),
    all: () =>
      [...store.all('escrows')]
        .map(shown)
        .filter((escrow) => escrow !== undefined)
        .toReversed(),
  };
}

export function escrowsByIds(escrows: IndexedEscrows, query: URLSearchParams): RouteResponse {
  const options = queries.byIds.safeParse(Object.fromEntries(query));
  if (!options.success) return refusedFields(options.error);
  const ids = listOf(query, 'contractIds');
  if (ids.length === 0 || ids.length > contractIdsMax) return refusal(listRefusal('contractIds', contractIdsMax));
  const found = ids.map(escrows.find).filter((escrow) => escrow !== undefined);
  return { status: 200, json: found.map(listedEscrow) };
}

export function escrowsBySigner(escrows: IndexedEscrows, query: URLSearchParams): RouteResponse {
  const parsed = queries.bySigner.safeParse(Object.fromEntries(query));
  if (!parsed.success) return refusedFields(parsed.error);
  const { signer, engagementId, page } = parsed.data;
  const found = escrows
    .all()
    .filter((escrow) => escrow.signer === signer && [undefined, escrow.engagementId].includes(engagementId));
  return { status: 200, json: found.slice((page - 1) * pageSize, page * pageSize).map(listedEscrow) };
}

export function escrowBalances(escrows: IndexedEscrows, query: URLSearchParams): RouteResponse {
  const addresses = listOf(query, 'addresses');
  if (addresses.length === 0 || addresses.length > addressesMax) return refusal(listRefusal('addresses', addressesMax));
  const found = addresses.map(escrows.find).filter((escrow) => escrow !== undefined);
  if (found.length < addresses.length) return notFound();
  const balances = found.map(({ contractId, balanceUnits }) => ({ address: contractId, balance: numberOfUnits(balanceUnits) }));
  return { status: 200, json: balances };
}

/** The provider takes lists in bracket form only: `name[]=a&name[]=b`. */
function listOf(query: URLSearchParams, name: string): readonly string[] {
  return query.getAll(`${name}[]`);
}

function listRefusal(name: string, max: number): string {
  return `${name} must be an array of 1 to ${max} addresses, as ${name}[]=`;
}
