import { z } from 'zod';
import { escrowTypes, type Escrow } from '../domain/escrow.js';
import { accountAddress, amountIn } from '../web/shapes.js';
import { flagsOf } from './escrow-view.js';

const roleNames = [
  'approver',
  'serviceProvider',
  'platformAddress',
  'releaseSigner',
  'disputeResolver',
  'receiver',
  'signer',
] as const;
type RoleName = (typeof roleNames)[number];

const statuses = ['working', 'pendingRelease', 'released', 'resolved', 'inDispute'] as const;

const yesOrNo = z.enum(['true', 'false']).transform((text) => text === 'true');
const units = amountIn(z.string());
const time = z.iso
  .datetime({ offset: true })
  .or(z.iso.date())
  .transform((text) => new Date(text).getTime());

/** The filters of both look-ups. */
const filters = {
  page: z.coerce.number().int().min(1).default(1),
  orderBy: z.enum(['createdAt', 'updatedAt', 'amount']).default('createdAt'),
  orderDirection: z.enum(['asc', 'desc']).default('desc'),
  startDate: time.optional(),
  endDate: time.optional(),
  minAmount: units.optional(),
  maxAmount: units.optional(),
  isActive: yesOrNo.optional(),
  title: z.string().optional(),
  engagementId: z.string().optional(),
  status: z.enum(statuses).optional(),
  type: z.enum(escrowTypes).optional(),
  // The sandbox's index never contradicts the chain by itself, so that the check changes nothing.
  validateOnChain: yesOrNo.optional(),
};

export const escrowQueries = {
  bySigner: z.object({ signer: accountAddress, ...filters }),
  byRole: z.object({ role: z.enum(roleNames), roleAddress: accountAddress, ...filters }),
  validateOnChain: z.object({ validateOnChain: filters.validateOnChain }),
} as const;

export type Filters = Omit<z.output<(typeof escrowQueries)['bySigner']>, 'signer'>;

export function hasRole({ roles, signer, milestones }: Escrow, role: RoleName, address: string): boolean {
  if (role === 'signer') return signer === address;
  if (role === 'receiver' && milestones.some(({ receiver }) => receiver === address)) return true;
  return roles[role] === address;
}

const pageSize = 50;

/** The page of the escrows that pass the filters. Escrows of the same second keep their order, newest first. */
export function pageOf(newestFirst: readonly Escrow[], given: Filters): readonly Escrow[] {
  const direction = given.orderDirection === 'asc' ? -1 : 1;
  const found = newestFirst.filter((escrow) => isActiveAs(escrow, given) && isWithin(escrow, given) && isNamed(escrow, given));
  const sorted = (direction === 1 ? found : found.toReversed()).toSorted(
    (one, other) => direction * compare(sortKey(other, given), sortKey(one, given)),
  );
  return sorted.slice((given.page - 1) * pageSize, given.page * pageSize);
}

function isNamed(escrow: Escrow, { title, engagementId, status, type }: Filters): boolean {
  return (
    [undefined, escrow.title].includes(title) &&
    [undefined, escrow.engagementId].includes(engagementId) &&
    (status === undefined || statusOf(escrow) === status) &&
    (type === undefined || escrow.type === type)
  );
}

function isWithin(escrow: Escrow, { startDate = 0, endDate = Infinity, minAmount = 0n, maxAmount }: Filters): boolean {
  const createdAtMs = new Date(escrow.createdAt).getTime();
  if (createdAtMs < startDate || createdAtMs > endDate) return false;
  return escrow.units >= minAmount && (maxAmount === undefined || escrow.units <= maxAmount);
}

/** An escrow is active until it is released or resolved. */
function isActiveAs(escrow: Escrow, { isActive }: Filters): boolean {
  const { released, resolved } = flagsOf(escrow);
  return isActive === undefined || isActive === !(released || resolved);
}

function statusOf(escrow: Escrow): (typeof statuses)[number] {
  const { disputed, released, resolved } = flagsOf(escrow);
  if (resolved) return 'resolved';
  if (released) return 'released';
  if (disputed) return 'inDispute';
  return escrow.milestones.every(({ flags }) => flags.approved) ? 'pendingRelease' : 'working';
}

function sortKey(escrow: Escrow, { orderBy }: Filters): bigint | string {
  return orderBy === 'amount' ? escrow.units : escrow[orderBy];
}

function compare(one: bigint | string, other: bigint | string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
