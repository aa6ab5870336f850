import * as message from '@holdfast/contracts/messages';
import type { EscrowId, OrderId, UserId } from '@holdfast/kernel/ids';
import type { RunningLedger } from './running-ledger.js';

export type Paid = { readonly sellerId: UserId; readonly buyerId: UserId };

/** An order of 80.00 whose first milestone is released, less a fee of 2.00, and whose second one is split after a dispute. */
export async function playMilestones(ledger: RunningLedger, orderId: OrderId): Promise<Paid> {
  const escrowId: EscrowId = `esc_${orderId.slice(4)}`;
  const [buyerId, sellerId] = [await ledger.aUser({ available: '80.00' }), await ledger.aUser()];
  const ofOrder = { escrowId, orderId, currency: 'USD', buyerId, sellerId } as const;
  const funds = { orderId, userId: buyerId, amount: '80.00', currency: 'USD' } as const;
  await ledger.publish(message.orderReserveRequested, orderId, funds);
  await ledger.reply('balance.reservation_made', orderId);
  await ledger.publish(message.orderFundRequested, orderId, funds);
  await ledger.reply('balance.reserved_deducted', orderId);
  const paid = { ...ofOrder, amount: '40.00', settledAt: '2026-01-31T12:00:00.000000Z' };
  const draft = { milestoneRef: 'draft', sellerAmount: '40.00', buyerAmount: '0.00', platformFee: '2.00' };
  await ledger.publishIn('release-milestone', message.escrowMilestoneSettled, escrowId, { ...paid, ...draft });
  await ledger.idle();
  const final = { milestoneRef: 'final', sellerAmount: '15.00', buyerAmount: '25.00', platformFee: '0.75' };
  await ledger.publishIn('resolve-milestone-dispute', message.escrowMilestoneSettled, escrowId, { ...paid, ...final });
  await ledger.idle();
  return { sellerId, buyerId };
}
