import * as message from '@holdfast/contracts/messages';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterAll(async () => {
  await ledger.checkAndStop();
});

const occurredAt = '2026-01-31T12:00:00.123456Z';
const releasedAt = '2026-01-31T12:00:00.000000Z';

describe('what the ledger publishes when it handles a message', () => {
  it('has ids that begin with the time of the message, and names the event that caused it', async () => {
    const orderId = 'ord_caused';
    const userId = await ledger.aUser({ available: '10.00' });
    const funds = { orderId, userId, amount: '10.00', currency: 'USD' } as const;
    const { type, version, aggregateType } = message.orderReserveRequested;
    await ledger.republish({
      ...{
        id: 'evt_command',
        type,
        version,
        aggregateType,
        aggregateId: orderId,
        aggregateVersion: 1,
        payload: funds,
        occurredAt,
      },
      ...{ marketplaceId: 'mkt_default', correlationId: 'test', saga: 'reserve', sagaRunId: 'run_1' },
      ...{ causationId: 'evt_cause', afterEventId: 'evt_before' },
    });
    await ledger.reply('balance.reservation_made', orderId);

    const [, reserved] = await ledger.eventsOf(userId, 2);
    const [placed] = ledger.repliesTo(orderId);
    expect(reserved).toMatchObject({ type: 'balance.reserved', causationId: 'evt_cause', afterEventId: 'evt_before' });
    expect(placed).toMatchObject({ type: 'balance.reservation_made', causationId: reserved?.id, afterEventId: reserved?.id });
    const idOf = message.stepMessageIds({ cause: 'evt_command', name: type, at: occurredAt });
    expect([reserved?.id, placed?.id]).toEqual(['balance.reserved', 'balance.reservation_made'].map(idOf));
  });

  it('names no cause when a request caused it', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const [credited] = await ledger.eventsOf(userId, 1);
    expect(credited).not.toHaveProperty('causationId');
  });
});

describe('a message of the ledger', () => {
  it('has the saga of the message that caused it', async () => {
    const userId = await ledger.aUser({ available: '100.00' });
    const funds = { orderId: 'ord_named', userId, amount: '100.00', currency: 'USD' } as const;
    await ledger.publish(message.orderReserveRequested, 'ord_named', funds);
    await ledger.reply('balance.reservation_made', 'ord_named');
    const [, reserved] = await ledger.eventsOf(userId, 2);
    const [placed] = ledger.repliesTo('ord_named');
    expect([reserved?.saga, placed?.saga]).toEqual(['reserve', 'reserve']);
  });

  it('names the message that caused it, or the predecessor of that message, and then each other as predecessor', async () => {
    const orderId = 'ord_shown';
    const [buyerId, sellerId] = [await ledger.aUser({ available: '100.00' }), await ledger.aUser()];
    const funds = { orderId, userId: buyerId, amount: '100.00', currency: 'USD' } as const;
    const reserve = await ledger.publish(message.orderReserveRequested, orderId, funds);
    await ledger.reply('balance.reservation_made', orderId);
    const fund = await ledger.publish(message.orderFundRequested, orderId, funds);
    await ledger.reply('balance.reserved_deducted', orderId);
    const escrow = { escrowId: 'esc_shown', orderId, amount: '100.00', currency: 'USD' } as const;
    const parts = { platformFee: '3.00', netAmount: '57.00', refundAmount: '40.00' };
    const paid = await ledger.publish(message.escrowReleased, 'esc_shown', {
      ...escrow,
      ...parts,
      sellerId,
      buyerId,
      releasedAt,
    });
    await ledger.reply('balance.escrow_settled', orderId);

    const [credited, reserved, released, refunded] = await ledger.eventsOf(buyerId, 4);
    const [paidSeller] = await ledger.eventsOf(sellerId, 1);
    const replies = new Map(ledger.repliesTo(orderId).map(({ type, afterEventId }) => [type, afterEventId]));
    expect(credited).not.toHaveProperty('afterEventId');
    expect([reserved?.afterEventId, replies.get('balance.reservation_made')]).toEqual([reserve.afterEventId, reserved?.id]);
    expect([released?.afterEventId, replies.get('balance.reserved_deducted')]).toEqual([fund.afterEventId, released?.id]);
    expect([paidSeller?.afterEventId, refunded?.afterEventId]).toEqual([paid.id, paidSeller?.id]);
    expect(replies.get('balance.escrow_settled')).toBe(refunded?.id);
  });

  it('about a refusal passes the predecessor on', async () => {
    const userId = await ledger.aUser();
    const funds = { orderId: 'ord_unshown', userId, amount: '100.00', currency: 'USD' } as const;
    const request = await ledger.publish(message.orderReserveRequested, 'ord_unshown', funds);
    await ledger.reply('balance.reservation_refused', 'ord_unshown');
    expect(ledger.repliesTo('ord_unshown')).toMatchObject([
      { type: 'balance.reservation_refused', afterEventId: request.afterEventId },
    ]);
  });
});
