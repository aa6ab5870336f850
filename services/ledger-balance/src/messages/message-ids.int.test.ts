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
    await ledger.reply('balance.hold_placed', orderId);

    const [, reserved] = await ledger.eventsOf(userId, 2);
    const [placed] = ledger.repliesTo(orderId);
    expect(reserved).toMatchObject({ type: 'balance.reserved', causationId: 'evt_cause', afterEventId: 'evt_before' });
    expect(placed).toMatchObject({ type: 'balance.hold_placed', causationId: reserved?.id, afterEventId: reserved?.id });
    const idOf = message.stepMessageIds({ cause: 'evt_command', name: type, at: occurredAt });
    expect([reserved?.id, placed?.id]).toEqual(['balance.reserved', 'balance.hold_placed'].map(idOf));
  });

  it('names no cause when a request caused it', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const [credited] = await ledger.eventsOf(userId, 1);
    expect(credited).not.toHaveProperty('causationId');
  });
});
