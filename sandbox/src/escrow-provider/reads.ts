import type { Escrow } from '../domain/escrow.js';
import { numberOfUnits } from '../domain/units.js';
import type { Store } from '../store/store.js';
import type { RouteResponse } from '../web/route.js';
import type { EscrowIndex } from './escrow-index.js';
import { escrowView, flagsOf } from './escrow-view.js';
import { refusal } from './responses.js';

const contractIdsMax = 50;
const addressesMax = 20;
const pageSize = 50;

/** Accepts lists as `name=a&name=b`, `name[]=a&name[]=b` or `name=a,b`. */
function listOf(query: URLSearchParams, name: string): readonly string[] {
  const given = [...query.getAll(name), ...query.getAll(`${name}[]`)];
  return given.flatMap((entry) => entry.split(',')).filter((entry) => entry !== '');
}

export function escrowsByIds(store: Store, query: URLSearchParams): RouteResponse {
  const ids = listOf(query, 'contractIds');
  if (ids.length === 0 || ids.length > contractIdsMax)
    return refusal(`contractIds must name from 1 to ${contractIdsMax} contracts`);
  const escrows = ids.map((id) => store.find('escrows', id)).filter((escrow) => escrow !== undefined);
  return { status: 200, json: escrows.map(escrowView) };
}

/** Newest first. */
export function escrowsBySigner(store: Store, index: EscrowIndex, query: URLSearchParams): RouteResponse {
  const page = Number(query.get('page') ?? '1');
  const signer = query.get('signer');
  if (signer === null || signer === '') return refusal('signer must be an address');
  if (!Number.isInteger(page) || page < 1) return refusal('page must be a number from 1');
  const [engagementId, status] = [query.get('engagementId'), query.get('status')];
  const found = index
    .deployedBy(signer)
    .toReversed()
    .map((id) => store.find('escrows', id))
    .filter((escrow) => escrow !== undefined)
    .filter((escrow) => engagementId === null || escrow.engagementId === engagementId)
    .filter((escrow) => status === null || statusOf(escrow) === status);
  return { status: 200, json: found.slice((page - 1) * pageSize, page * pageSize).map(escrowView) };
}

function statusOf(escrow: Escrow): string {
  const { disputed, released, resolved } = flagsOf(escrow);
  if (resolved) return 'resolved';
  if (released) return 'released';
  return disputed ? 'disputed' : 'working';
}

export function escrowBalances(store: Store, query: URLSearchParams): RouteResponse {
  const addresses = listOf(query, 'addresses');
  if (addresses.length === 0 || addresses.length > addressesMax) return refusal(`addresses must name from 1 to ${addressesMax}`);
  const unknown = addresses.find((address) => store.find('escrows', address) === undefined);
  if (unknown !== undefined) return refusal(`The escrow ${unknown} was not found`, 404);
  const balances = addresses.map((address) => ({
    address,
    balance: numberOfUnits(store.find('escrows', address)?.balanceUnits ?? 0n),
  }));
  return { status: 200, json: balances };
}
