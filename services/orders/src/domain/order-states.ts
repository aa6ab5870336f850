import type { Moves } from '@holdfast/kernel/states';

export const orderStatuses = [
  'ORDER_CREATED',
  'FUNDS_RESERVED',
  'ESCROW_CREATING',
  'ESCROW_FUNDING',
  'IN_PROGRESS',
  'RELEASE_REQUESTED',
  'RELEASED',
  'REFUND_REQUESTED',
  'REFUNDED',
  'DISPUTED',
  'CLOSED',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

/** Others can pay the contract out on the ledger network, so an order with a funded contract can be settled in each of these. */
const funded = ['IN_PROGRESS', 'RELEASE_REQUESTED', 'REFUND_REQUESTED', 'DISPUTED'] as const;
/** After a failed funding the order is FUNDS_RESERVED with its contract, and can be funded again. */
const fundable = ['ESCROW_FUNDING', 'FUNDS_RESERVED'] as const;

export const orderMoves = {
  reserve: { from: ['ORDER_CREATED'], to: 'FUNDS_RESERVED' },
  cancel: { from: ['ORDER_CREATED', 'FUNDS_RESERVED'], to: 'CLOSED' },
  createEscrow: { from: ['FUNDS_RESERVED'], to: 'ESCROW_CREATING' },
  escrowCreated: { from: ['ESCROW_CREATING'], to: 'ESCROW_FUNDING' },
  escrowNotCreated: { from: ['ESCROW_CREATING'], to: 'FUNDS_RESERVED' },
  fund: { from: fundable, to: 'IN_PROGRESS' },
  notFunded: { from: fundable, to: 'FUNDS_RESERVED' },
  requestRelease: { from: ['IN_PROGRESS'], to: 'RELEASE_REQUESTED' },
  requestRefund: { from: ['IN_PROGRESS'], to: 'REFUND_REQUESTED' },
  notSettled: { from: ['RELEASE_REQUESTED', 'REFUND_REQUESTED'], to: 'IN_PROGRESS' },
  dispute: { from: ['IN_PROGRESS'], to: 'DISPUTED' },
  resolveByRelease: { from: ['DISPUTED'], to: 'RELEASE_REQUESTED' },
  resolveByRefund: { from: ['DISPUTED'], to: 'REFUND_REQUESTED' },
  notResolved: { from: ['RELEASE_REQUESTED', 'REFUND_REQUESTED'], to: 'DISPUTED' },
  release: { from: funded, to: 'RELEASED' },
  refund: { from: funded, to: 'REFUNDED' },
  close: { from: ['RELEASED', 'REFUNDED'], to: 'CLOSED' },
} as const satisfies Moves<OrderStatus, string>;

export type OrderMove = keyof typeof orderMoves;
