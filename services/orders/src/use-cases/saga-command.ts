import {
  escrowAbortRequested,
  escrowDeployRequested,
  escrowSettlementRequested,
  orderAbortRequested,
  orderCancelRequested,
  orderFundRequested,
  orderReserveRequested,
  stepMessageIds,
} from '@holdfast/contracts/messages';
import type { MessageId } from '@holdfast/kernel/ids';
import { formatMoney } from '@holdfast/kernel/money';
import { escrowOf, isPaidOut } from '../domain/escrow.js';
import type { Order, SagaName } from '../domain/order.js';
import { plannedParts } from '../domain/parts.js';
import { percentText } from '../domain/percent.js';
import { event, type Event } from './apply-change.js';
import { startOf } from './origin.js';

/**
 * The command of the active run to the next service. It follows from the order alone, so that resending it sends the same
 * message. Undefined if no run is active.
 */
export function sagaCommandOf(order: Order): Event | undefined {
  switch (order.activeRun?.saga) {
    case 'reserve':
      return event(orderReserveRequested, buyerFunds(order));
    case 'cancel':
      return cancelCommand(order);
    case 'create-escrow':
      return deployCommand(order);
    case 'fund':
      return event(orderFundRequested, buyerFunds(order));
    case 'release':
    case 'refund':
    case 'resolve-dispute':
      return settleCommand(order);
    case undefined:
      return undefined;
  }
}

/**
 * The abort command of the active run, to the service of its point of no return. Undefined for a saga without a deadline, and once
 * the contract has paid.
 */
export function abortCommandOf(order: Order): Event | undefined {
  const { activeRun, escrow } = order;
  const command = sagaCommandOf(order);
  if (activeRun === null || command === undefined || (escrow !== null && isPaidOut(escrow))) return undefined;
  const commandId = stepMessageIds(startOf(activeRun, activeRun.startedAt))(command.declaration.type);
  return abortEventOf(order, activeRun.saga, commandId);
}

function abortEventOf(order: Order, saga: SagaName, commandId: MessageId): Event | undefined {
  switch (saga) {
    case 'cancel':
      return undefined;
    case 'reserve':
      return event(orderAbortRequested, { ...buyerFunds(order), commandId });
    case 'create-escrow':
    case 'fund':
    case 'release':
    case 'refund':
    case 'resolve-dispute': {
      const { sellerId: _sellerId, ...fields } = commandFields(order);
      return event(escrowAbortRequested, { ...fields, commandId });
    }
  }
}

function cancelCommand(order: Order): Event {
  const reason = order.activeRun?.reason ?? null;
  return event(orderCancelRequested, { ...buyerFunds(order), ...(reason === null ? {} : { reason }) });
}

function buyerFunds({ id, buyerId, amount }: Order) {
  return { orderId: id, userId: buyerId, amount: formatMoney(amount), currency: amount.currency };
}

function deployCommand(order: Order): Event {
  const title = order.title === '' ? genericTitle : order.title;
  return event(escrowDeployRequested, {
    ...commandFields(order),
    contractType: escrowOf(order).contractType,
    title,
    description: order.description ?? title,
    platformFeePercent: percentText(order.feeBasisPoints),
    milestones: milestonesOfContract(order, title),
  });
}

const genericTitle = 'Order';
const defaultMilestoneRef = 'order';

/** A contract needs at least one milestone. An order without milestones gets one that the API does not show. */
function milestonesOfContract({ milestones, amount }: Order, title: string) {
  if (milestones.length === 0) return [{ ref: defaultMilestoneRef, title, amount: formatMoney(amount) }];
  return milestones.map((milestone) => ({ ref: milestone.ref, title: milestone.title, amount: formatMoney(milestone.amount) }));
}

function settleCommand(order: Order): Event | undefined {
  const parts = plannedParts(order);
  if (parts === undefined) return undefined;
  return event(escrowSettlementRequested, {
    ...commandFields(order),
    decision: parts.decision,
    sellerAmount: formatMoney(parts.seller),
    buyerAmount: formatMoney(parts.buyer),
    platformFee: formatMoney(parts.fee),
  });
}

function commandFields(order: Order) {
  const { id, buyerId, sellerId, amount } = order;
  const { id: escrowId } = escrowOf(order);
  return { escrowId, orderId: id, buyerId, sellerId, amount: formatMoney(amount), currency: amount.currency };
}
