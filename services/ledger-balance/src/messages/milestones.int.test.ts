import * as message from '@holdfast/contracts/messages';
import type { OrderId } from '@holdfast/kernel/ids';
import { formatUnits } from '@holdfast/kernel/money';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

async function aFundedOrder(orderId: OrderId, amount = '100.00') {
  const [buyerId, sellerId] = [await ledger.aUser({ available: amount }), await ledger.aUser()];
  const funds = { orderId, userId: buyerId, amount, currency: 'USD' } as const;
  await ledger.publish(message.orderReserveRequested, orderId, funds);
  await ledger.reply('balance.reservation_made', orderId);
  await ledger.publish(message.orderFundRequested, orderId, funds);
  await ledger.reply('balance.reserved_deducted', orderId);
  const ofOrder = { escrowId: `esc_${orderId.slice(4)}`, orderId, currency: 'USD', buyerId, sellerId } as const;
  return { buyerId, sellerId, ofOrder };
}

type Order = Awaited<ReturnType<typeof aFundedOrder>>;
type Paid = Pick<
  message.Payload<typeof message.escrowMilestoneSettled>,
  'milestoneRef' | 'sellerAmount' | 'buyerAmount' | 'platformFee'
>;
type Saga = 'release-milestone' | 'refund-milestone' | 'resolve-milestone-dispute';

const settledAt = '2026-01-31T12:00:00.000000Z';

/** Publishes that the contract has paid out a milestone. */
function pay({ ofOrder }: Order, saga: Saga, paid: Paid): Promise<message.Envelope> {
  const amount = '40.00';
  return ledger.publishIn(saga, message.escrowMilestoneSettled, ofOrder.escrowId, { ...ofOrder, ...paid, amount, settledAt });
}

const repliesOf = (orderId: OrderId, type = 'balance.escrow_settled') =>
  ledger.repliesTo(orderId).filter((reply) => reply.type === type);

const available = async (userId: string): Promise<string> => (await ledger.get(`/users/${userId}/balance`)).data.available;

/** What the escrow account of the order holds. */
async function inEscrow(orderId: OrderId): Promise<string> {
  const [row] = await ledger.database.asAdmin<{ readonly units: string }>(
    `select available_units::text as units from ledger_balance.accounts where kind = 'escrow' and owner = $1`,
    [orderId],
  );
  return formatUnits(BigInt(row?.units ?? 0));
}

const release = { milestoneRef: 'draft', sellerAmount: '40.00', buyerAmount: '0.00', platformFee: '2.00' };
const refund = { milestoneRef: 'logo', sellerAmount: '0.00', buyerAmount: '40.00', platformFee: '0.00' };
const split = { milestoneRef: 'final', sellerAmount: '15.00', buyerAmount: '25.00', platformFee: '0.75' };

describe('the escrow account of an order', () => {
  it('goes down by exactly what left the contract, milestone by milestone', async () => {
    const orderId = 'ord_parts';
    const order = await aFundedOrder(orderId, '120.00');
    await pay(order, 'release-milestone', release);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(1));
    expect([await inEscrow(orderId), await available(order.sellerId)]).toEqual(['80.00', '38.00']);

    await pay(order, 'refund-milestone', refund);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(2));
    expect([await inEscrow(orderId), await available(order.buyerId)]).toEqual(['40.00', '40.00']);

    await pay(order, 'resolve-milestone-dispute', split);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(3));
    expect([await inEscrow(orderId), await available(order.sellerId), await available(order.buyerId)]).toEqual([
      '0.00',
      '52.25',
      '65.00',
    ]);
    expect(repliesOf(orderId).map(({ payload }) => payload)).toMatchObject([
      { milestoneRef: 'draft', fee: '2.00', payouts: [{ userId: order.sellerId, amount: '38.00' }] },
      {
        milestoneRef: 'logo',
        fee: '0.00',
        payouts: [
          { userId: order.sellerId, amount: '0.00' },
          { userId: order.buyerId, amount: '40.00' },
        ],
      },
      {
        milestoneRef: 'final',
        fee: '0.75',
        payouts: [
          { userId: order.sellerId, amount: '14.25' },
          { userId: order.buyerId, amount: '25.00' },
        ],
      },
    ]);
  });

  it('pays two milestones of the same message types at the same time', async () => {
    const orderId = 'ord_both';
    const order = await aFundedOrder(orderId, '80.00');
    await Promise.all([
      pay(order, 'release-milestone', release),
      pay(order, 'release-milestone', { ...release, milestoneRef: 'final' }),
    ]);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(2));
    expect([await inEscrow(orderId), await available(order.sellerId)]).toEqual(['0.00', '76.00']);
  });
});

describe('the end of an escrow that was paid milestone by milestone', () => {
  it('moves nothing, because its last milestone is booked by its own message', async () => {
    const orderId = 'ord_ended';
    const order = await aFundedOrder(orderId, '40.00');
    const { buyerId: _buyerId, ...ofEscrow } = order.ofOrder;
    const released = { ...ofEscrow, amount: '40.00', platformFee: '2.00', netAmount: '38.00', releasedAt: settledAt };
    await ledger.publishIn('release-milestone', message.escrowReleased, ofEscrow.escrowId, released);
    await ledger.idle();
    expect(await inEscrow(orderId)).toBe('40.00');
    await pay(order, 'release-milestone', release);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(1));
    expect([await inEscrow(orderId), await available(order.sellerId)]).toEqual(['0.00', '38.00']);
  });
});

describe('the payout of a milestone', () => {
  it('names the milestone in the history, and its source in the event', async () => {
    const order = await aFundedOrder('ord_named', '120.00');
    await pay(order, 'release-milestone', release);
    await eventually(() => expect(repliesOf('ord_named')).toHaveLength(1));
    await pay(order, 'resolve-milestone-dispute', split);
    await eventually(() => expect(repliesOf('ord_named')).toHaveLength(2));
    const { data } = (await ledger.get(`/users/${order.sellerId}/balance/transactions`)).data;
    expect(data).toMatchObject([
      { type: 'ESCROW_PAYOUT', orderId: 'ord_named', description: 'Escrow: milestone final split after a dispute' },
      { type: 'ESCROW_PAYOUT', description: 'Escrow: milestone draft released, less the platform fee' },
    ]);
    const sources = (await ledger.eventsOf(order.sellerId, 2)).map(({ payload }) => (payload as { source?: string }).source);
    expect(sources).toEqual(['milestone_released', 'dispute_split']);
    await pay(order, 'refund-milestone', refund);
    await eventually(() => expect(repliesOf('ord_named')).toHaveLength(3));
    const events = await ledger.eventsOf(order.buyerId, 5);
    expect((events.at(-1)?.payload as { source?: string }).source).toBe('milestone_refunded');
  });

  it('has one effect however often its message comes, and the same reply', async () => {
    const orderId = 'ord_again';
    const order = await aFundedOrder(orderId, '80.00');
    const command = await pay(order, 'release-milestone', release);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(1));
    await ledger.idle();
    await ledger.republish(command);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(2));
    await ledger.database.asAdmin('delete from ledger_balance.inbox where message_id = $1', [command.id]);
    await ledger.republish(command);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(3));
    expect(new Set(repliesOf(orderId).map(({ id }) => id)).size).toBe(1);
    expect([await inEscrow(orderId), await available(order.sellerId)]).toEqual(['40.00', '38.00']);
  });

  it('is contradicted by an escrow account that holds less, and is corrected once by an operator', async () => {
    const orderId = 'ord_short';
    const order = await aFundedOrder(orderId, '50.00');
    await pay(order, 'refund-milestone', refund);
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(1));
    const command = await pay(order, 'release-milestone', release);
    const contradicted = 'balance.settlement_contradicted';
    await eventually(() => expect(repliesOf(orderId, contradicted)).toHaveLength(1));
    expect(repliesOf(orderId, contradicted)[0]?.payload).toMatchObject({
      milestoneRef: 'draft',
      reason: 'the escrow account holds 10.00 and has to pay 40.00',
    });
    expect(await inEscrow(orderId)).toBe('10.00');

    const { escrowId, sellerId } = order.ofOrder;
    const payouts = [{ userId: sellerId, amount: '38.00' }];
    const ofMilestone = { escrowId, orderId, currency: 'USD', milestoneRef: 'draft' } as const;
    const correction = await ledger.publishIn('release-milestone', message.escrowPayoutCorrectionRequested, escrowId, {
      ...ofMilestone,
      ...{ payoutId: command.id, payouts, platformFee: '2.00' },
    });
    await eventually(() => expect(repliesOf(orderId)).toHaveLength(2));
    expect(repliesOf(orderId)[1]?.payload).toMatchObject({ milestoneRef: 'draft', fee: '2.00' });
    await ledger.idle();
    await ledger.republish(correction);
    await ledger.republish(command);
    await ledger.idle();
    expect([await inEscrow(orderId), await available(sellerId)]).toEqual(['0.00', '38.00']);
  });
});
