import * as message from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { anInstant, escrowIdOf, type Responder } from '../testing/simulated-services.js';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const silent: Responder = () => [];
const publishedAbout = (id: string) => orders.simulated.published.filter(({ payload }) => JSON.stringify(payload).includes(id));
const countOf = async (id: string) => (await orders.eventsOf(id)).length;

function releasedPayload(id: string, sellerId: `usr_${string}`) {
  const of = { escrowId: escrowIdOf(id), orderId: id as `ord_${string}`, amount: '100.00', currency: 'USD' } as const;
  return { ...of, sellerId, platformFee: '5.00', netAmount: '95.00', releasedAt: anInstant };
}

function settledPayload(id: string, userId: `usr_${string}`, amount = '95.00', fee = '5.00') {
  return { orderId: id, currency: 'USD' as const, fee, payouts: [{ userId, amount, newAvailableBalance: '95.00' }] };
}

describe('a redelivered message', () => {
  it('changes nothing, with its old id or with a new id in the same run', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.do(id, 'release');
    const [before, count] = [await orders.orderNow(id), await countOf(id)];
    for (const published of publishedAbout(id)) {
      await orders.simulated.republish(published);
      await orders.simulated.republish({ ...published, id: `${published.id}X` as message.Envelope['id'] });
    }
    await orders.idle();
    expect([await orders.orderNow(id), await countOf(id)]).toEqual([before, count]);
  });
});

describe('a contract that was paid out outside the platform', () => {
  it('is retried until escrow.funded has been handled', async () => {
    const { id, sellerId } = await orders.anOrderAfter(stepsUntil.escrowed);
    orders.simulated.replyNextWith(id, message.orderFundRequested, silent);
    const fund = orders.do(id, 'fund');
    await eventually(async () => expect((await orders.orderNow(id)).escrow?.status).toBe('FUNDING'));
    await orders.idle();
    await orders.simulated.publish(message.escrowReleased, releasedPayload(id, sellerId));
    await orders.simulated.publish(message.balanceEscrowSettled, settledPayload(id, sellerId));
    const isCommand = ({ type, aggregateId }: message.Envelope) => type === 'order.fund_requested' && aggregateId === id;
    const run = await eventually(() => {
      const command = orders.published.findLast(isCommand);
      expect(command).toBeDefined();
      return command?.sagaRunId;
    });
    const escrow = {
      orderId: id,
      escrowId: escrowIdOf(id),
      providerContractId: 'C1',
      amount: '100.00',
      fundedAt: anInstant,
    } as const;
    await orders.simulated.publish(message.escrowFunded, escrow, { sagaRunId: run });
    expect((await fund).status).toBe(201);
    await eventually(async () => expect((await orders.orderNow(id)).status).toBe('CLOSED'));
  });
});

describe('a change on the ledger network', () => {
  const milestones = [
    { ref: 'a', title: 'A', amount: '50.00' },
    { ref: 'b', title: 'B', amount: '50.00' },
  ];

  it('completes a milestone, once', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const seen = { escrowId: escrowIdOf(id), orderId: id, milestoneRef: 'a' };
    await orders.simulated.publish(message.escrowMilestoneSeen, seen);
    await orders.simulated.publish(message.escrowMilestoneSeen, seen);
    await orders.simulated.publish(message.escrowMilestoneSeen, { ...seen, milestoneRef: 'z' });
    await orders.idle();
    expect((await orders.orderNow(id)).milestones.map(({ status }) => status)).toEqual(['COMPLETED', 'OPEN']);
    expect((await orders.eventsOf(id)).filter(({ type }) => type === 'escrow.milestone_completed')).toHaveLength(1);
  });

  it('of an unknown order changes nothing and is not parked', async () => {
    await orders.simulated.publish(message.escrowDisputeSeen, { escrowId: 'esc_9', orderId: 'ord_nowhere' });
    await orders.idle();
    expect(await orders.database.asAdmin('select 1 from orders.parked_messages')).toEqual([]);
  });
});
