import { AppError } from '@holdfast/kernel/errors';
import type { EscrowId } from '@holdfast/kernel/ids';
import { moved } from '@holdfast/kernel/states';
import { escrowMoves, type EscrowStatus } from './escrow-states.js';
import { requireNoActiveRun, requireMove, moveOrder } from './move-order.js';
import type { ContractType, Escrow, Milestone, Order } from './order.js';
import { orderMoves } from './order-states.js';
import { inactiveParty, type Party } from './parties.js';

type EscrowMove = keyof typeof escrowMoves;

/** Rules (2) to (5) of the specification, in its order. Rule (1) is the 404 before, rule (6) the provider's response after. */
export function requireEscrowCreation(order: Order, parties: readonly Party[]): void {
  requireMove(order, 'createEscrow');
  if (order.escrow !== null) throw new AppError('ESCROW_ALREADY_EXISTS', { escrowId: order.escrow.id });
  // The specification wants 500 for an inactive party, like an internal error, with the reason in the details.
  const inactive = inactiveParty(parties);
  if (inactive !== undefined) throw new AppError('INTERNAL_ERROR', { reason: 'USER_NOT_ACTIVE', userId: inactive.id });
  if (order.milestones.length > 0 && sumOf(order.milestones) !== order.amount.units)
    throw new AppError('INTERNAL_ERROR', { reason: 'MILESTONES_DO_NOT_ADD_UP' });
}

function sumOf(milestones: readonly Milestone[]): bigint {
  return milestones.reduce((sum, { amount }) => sum + amount.units, 0n);
}

export function startEscrow(order: Order, id: EscrowId): Order & { readonly escrow: Escrow } {
  const notDeployed = {
    providerContractId: null,
    isDisputedByAttempt: false,
    fundedAt: null,
    releasedAt: null,
    refundedAt: null,
    version: 0,
  };
  const escrow: Escrow = { ...notDeployed, id, status: 'CREATING', contractType: contractTypeOf(order) };
  return { ...moveOrder(order, 'createEscrow'), escrow };
}

/** Only a multi-release contract can pay out a single milestone. */
function contractTypeOf({ milestones, releaseMode }: Order): ContractType {
  return milestones.length > 1 || releaseMode === 'milestone' ? 'multi-release' : 'single-release';
}

export function escrowCreated(order: Order, providerContractId: string): Order & { readonly escrow: Escrow } {
  const escrow = { ...moveEscrow(escrowOf(order), 'create'), providerContractId };
  return { ...moveOrder(order, 'escrowCreated'), escrow };
}

/** The escrow is removed, so that the next attempt gets a new contract and a new id. */
export function escrowNotCreated(order: Order): Order {
  return { ...moveOrder(order, 'escrowNotCreated'), escrow: null };
}

/** Allowed in ESCROW_FUNDING, and in FUNDS_RESERVED only after a funding that failed, which leaves the escrow CREATED. */
export function startFunding(order: Order): Order & { readonly escrow: Escrow } {
  requireNoActiveRun(order, orderMoves.fund.from);
  const { escrow, status } = order;
  if (status !== 'ESCROW_FUNDING' && (status !== 'FUNDS_RESERVED' || escrow === null))
    throw new AppError('INVALID_STATE', { currentStatus: status, allowedStatuses: ['ESCROW_FUNDING'] });
  if (escrow?.status !== 'CREATED')
    throw new AppError('INTERNAL_ERROR', { reason: 'ESCROW_NOT_CREATED', escrowStatus: escrow?.status ?? null });
  return { ...order, escrow: moveEscrow(escrow, 'startFunding') };
}

export function escrowFunded(order: Order, fundedAt: string): Order & { readonly escrow: Escrow } {
  return { ...moveOrder(order, 'fund'), escrow: { ...moveEscrow(escrowOf(order), 'fund'), fundedAt } };
}

/** The funds are reserved, or too little is. The escrow stays, so that the order can be funded again or canceled. */
export function fundingFailed(order: Order): Order {
  return { ...moveOrder(order, 'notFunded'), escrow: moveEscrow(escrowOf(order), 'notFunded') };
}

/** The escrow after its contract paid out. Returns the same escrow if the payout is already recorded. */
export function escrowPaidOut(escrow: Escrow, move: 'release' | 'refund', at: string): Escrow {
  if (isPaidOut(escrow)) return escrow;
  const moment = move === 'release' ? { releasedAt: at } : { refundedAt: at };
  return { ...moveEscrow(escrow, move), ...moment };
}

export function isPaidOut({ status }: Escrow): boolean {
  return status === 'RELEASED' || status === 'REFUNDED';
}

export function isFunded({ status }: Escrow): boolean {
  return status === 'FUNDED' || status === 'DISPUTED';
}

export function escrowOf({ escrow, id }: Order): Escrow {
  if (escrow === null) throw new Error(`order ${id} has no escrow`);
  return escrow;
}

export function moveEscrow(escrow: Escrow, move: EscrowMove): Escrow {
  return { ...escrow, status: moved<EscrowStatus, EscrowMove>(escrowMoves, move, escrow.status) };
}
