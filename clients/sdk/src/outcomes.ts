import type { OperationId } from './generated/operations.js';
import type { Dispute, Order } from './generated/types.js';
import type { Input } from './request.js';

/** What was read: the order, and for routes of disputes the dispute. */
export type ReadRecords = { readonly order: Order; readonly dispute: Dispute | null };
type Made = { readonly params: readonly string[]; readonly input: Input };

/** How the record looks before an operation and after it. */
export type Outcome = {
  /** What the first path parameter names. */
  readonly reads: 'order' | 'dispute';
  /** The result of the operation, if the records show that it was carried out. */
  readonly resultOf: (read: ReadRecords, made: Made) => unknown;
  /** The records show that it was not carried out. */
  readonly isBefore: (read: ReadRecords, made: Made) => boolean;
};

/** Operations whose repeat is refused by the state of the record. After an unknown outcome the record tells what happened. */
export const outcomes: Readonly<Partial<Record<OperationId, Outcome>>> = {
  'orders.reserve': moves({ from: ['ORDER_CREATED'], to: 'FUNDS_RESERVED' }),
  'orders.createEscrow': moves({ from: ['FUNDS_RESERVED'], to: 'ESCROW_FUNDING' }),
  'orders.fundEscrow': moves({ from: ['ESCROW_FUNDING', 'FUNDS_RESERVED'], to: 'IN_PROGRESS' }),
  'orders.cancel': closes({ from: ['ORDER_CREATED', 'FUNDS_RESERVED'], reason: 'CANCELED' }),
  'orders.release': closes({ from: ['IN_PROGRESS'], reason: 'RELEASED' }),
  'orders.refund': closes({ from: ['IN_PROGRESS'], reason: 'REFUNDED' }),
  'orders.completeMilestone': {
    reads: 'order',
    resultOf: ({ order }, made) => {
      const milestone = milestoneOf(order, made);
      return milestone?.status === 'COMPLETED' ? { ...order, milestone } : undefined;
    },
    isBefore: ({ order }, made) => order.status === 'IN_PROGRESS' && milestoneOf(order, made)?.status === 'OPEN',
  },
  'disputes.open': {
    reads: 'order',
    resultOf: ({ order }, { input }) => {
      const isThis = order.dispute?.openedBy === input['openedBy'] && order.dispute?.reason === input['reason'];
      return order.status === 'DISPUTED' && isThis ? { ...order.dispute, order } : undefined;
    },
    isBefore: ({ order }) => order.status === 'IN_PROGRESS',
  },
  'disputes.assign': {
    reads: 'dispute',
    resultOf: ({ dispute }, { input }) =>
      dispute?.status === 'UNDER_REVIEW' && dispute.assignedTo === input['assignedTo'] ? dispute : undefined,
    isBefore: ({ dispute }) => dispute?.status === 'OPEN',
  },
  'disputes.resolve': {
    reads: 'dispute',
    resultOf: ({ dispute }, { input }) => (dispute !== null && isDecided(dispute, input) ? dispute : undefined),
    isBefore: ({ dispute }) => dispute?.status === 'UNDER_REVIEW',
  },
};

function moves({ from, to }: { readonly from: readonly Order['status'][]; readonly to: Order['status'] }): Outcome {
  return {
    reads: 'order',
    resultOf: ({ order }) => (order.status === to ? order : undefined),
    isBefore: ({ order }) => from.includes(order.status),
  };
}

function closes({ from, reason }: { readonly from: readonly Order['status'][]; readonly reason: Order['closeReason'] }): Outcome {
  return {
    reads: 'order',
    resultOf: ({ order }) => (order.closeReason === reason ? order : undefined),
    isBefore: ({ order }) => from.includes(order.status),
  };
}

function milestoneOf({ milestones }: Order, { params: [, ref] }: Made): Order['milestones'][number] | undefined {
  return milestones.find((one) => one.ref === ref);
}

function isDecided({ status, resolutionDecision, releaseAmount }: Dispute, input: Input): boolean {
  if (status !== 'RESOLVED' || resolutionDecision !== input['decision']) return false;
  // The platform shows "60" as "60.00".
  return resolutionDecision !== 'SPLIT' || Number(releaseAmount) === Number(input['releaseAmount']);
}
