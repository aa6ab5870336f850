import type { Order } from '@holdfast/sdk';
import { formatAmount } from '../../data/format-amount.js';
import type { OrderAction } from './allowed-actions.js';

export type ActionText = {
  readonly label: string;
  readonly title: string;
  readonly consequence: string;
  readonly isDestructive?: boolean;
  /** Whether the platform wants to know why. */
  readonly reason: 'none' | 'optional' | 'required';
};

/** What each action is called, and what it will do with this order. */
export function textOf(action: OrderAction, order: Order): ActionText {
  const { amount, currency, amounts, platformFee } = order;
  const money = `${formatAmount(amount)} ${currency}`;
  const left = `${formatAmount(amounts.inEscrow)} ${currency}`;
  const texts: Readonly<Record<OrderAction, ActionText>> = {
    reserve: {
      label: 'Reserve funds',
      title: 'Reserve the funds of the buyer',
      consequence: `${money} of the buyer's available balance is set aside for this order. Cancel the order to free it.`,
      reason: 'none',
    },
    createEscrow: {
      label: 'Create escrow',
      title: 'Create the escrow contract',
      consequence: 'A contract is deployed on the ledger network. No money moves yet.',
      reason: 'none',
    },
    fundEscrow: {
      label: 'Fund escrow',
      title: 'Pay into the escrow contract',
      consequence: `${money} leaves the buyer's balance and is held by the contract. From then on only a release, a refund or the decision of a dispute pays it out.`,
      reason: 'none',
    },
    release: {
      label: 'Release to seller',
      title: 'Release the order to the seller',
      consequence: `${left} is paid to the seller, less the platform fee of ${platformFee} %, and the order is closed. This cannot be taken back.`,
      reason: 'optional',
    },
    refund: {
      label: 'Refund buyer',
      title: 'Refund the order to the buyer',
      consequence: `${left} goes back to the buyer, and the order is closed. The seller gets nothing of it. This cannot be taken back.`,
      isDestructive: true,
      reason: 'required',
    },
    dispute: {
      label: 'Open dispute',
      title: 'Open a dispute',
      consequence: 'Release and refund are blocked until your support has decided.',
      isDestructive: true,
      reason: 'none',
    },
    cancel: {
      label: 'Cancel order',
      title: 'Cancel the order',
      consequence: 'The order is closed, and what was reserved for it is free again. A canceled order cannot be opened again.',
      isDestructive: true,
      reason: 'optional',
    },
  };
  return texts[action];
}
