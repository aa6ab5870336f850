import type * as message from '@holdfast/contracts/messages';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const typesOf = (events: readonly message.Envelope[]) => events.map(({ type }) => type);

describe('the life of an order', () => {
  it('goes from created to CLOSED by release, with every event and audit entry published once and in order', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    const released = await orders.do(id, 'release', { reason: 'work accepted' });

    expect([released.status, released.data.data]).toMatchObject([
      200,
      { status: 'CLOSED', closeReason: 'RELEASED', escrow: { status: 'RELEASED', releasedAt: expect.stringMatching(/Z$/) } },
    ]);
    const events = await orders.eventsOf(id);
    expect(typesOf(events)).toEqual([
      'order.created',
      'order.funds_reserved',
      'order.escrow_creating',
      'order.escrow_funding',
      'escrow.funding_started',
      'order.escrow_funded',
      'order.in_progress',
      'order.release_requested',
      'order.released',
      'order.closed',
    ]);
    expect(
      events.filter(({ aggregateType }) => aggregateType === 'Order').map((published) => published.aggregateVersion),
    ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect((await orders.auditsOf(id)).map(({ action, actorId, result }) => `${action} ${actorId} ${result}`)).toEqual(
      [
        'ORDER_CREATED',
        'FUNDS_RESERVED',
        'ESCROW_CREATING',
        'ESCROW_FUNDING',
        'ESCROW_FUNDING_STARTED',
        'IN_PROGRESS',
        'RELEASE_REQUESTED',
        'RELEASED',
        'CLOSED',
      ].map((action) => `${action} master SUCCESS`),
    );
    expect(events.find(({ type }) => type === 'order.released')?.payload).toMatchObject({
      amount: '100.00',
      platformFee: '5.00',
      netAmount: '95.00',
      newSellerBalance: '195.00',
    });
  });

  it('is published with the saga and the run that each message belongs to', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.do(id, 'release');
    await orders.idle();
    const ofOrder = orders.published.filter(
      ({ type, payload }) => type !== 'audit.recorded' && JSON.stringify(payload).includes(id),
    );
    expect(ofOrder.map(({ type, saga }) => `${type} in ${saga ?? 'none'}`)).toEqual([
      'order.created in none',
      'order.reserve_requested in reserve',
      'order.funds_reserved in reserve',
      'order.escrow_creating in create-escrow',
      'escrow.deploy_requested in create-escrow',
      'order.escrow_funding in create-escrow',
      'escrow.funding_started in fund',
      'order.fund_requested in fund',
      'order.escrow_funded in fund',
      'order.in_progress in fund',
      'order.release_requested in release',
      'escrow.settlement_requested in release',
      'order.released in release',
      'order.closed in release',
    ]);
    expect(new Set(ofOrder.map(({ saga, sagaRunId }) => `${saga ?? ''} ${sagaRunId ?? ''}`)).size).toBe(5);
  });

  it('is published with the predecessor of each event and command', async () => {
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
    await orders.do(id, 'release');
    await orders.idle();
    const all = [...orders.published, ...orders.simulated.published];
    const typeOf = (eventId: string | undefined) => all.find((published) => published.id === eventId)?.type;
    const ofOrder = orders.published.filter(({ payload }) => JSON.stringify(payload).includes(id));
    const followed = ofOrder.filter(({ type, afterEventId }) => afterEventId !== undefined && type !== 'audit.recorded');
    // Sorted, because the messages of two commits may arrive in any order.
    expect(followed.map(({ type, afterEventId }) => `${type} after ${typeOf(afterEventId) ?? 'nothing'}`).toSorted()).toEqual([
      'escrow.deploy_requested after order.escrow_creating',
      'escrow.funding_started after order.escrow_funding',
      'escrow.settlement_requested after order.release_requested',
      'order.closed after order.released',
      'order.escrow_creating after order.funds_reserved',
      'order.escrow_funded after escrow.funded',
      'order.escrow_funding after escrow.created',
      'order.fund_requested after escrow.funding_started',
      'order.funds_reserved after order.created',
      'order.in_progress after order.escrow_funded',
      'order.release_requested after order.in_progress',
      'order.released after order.release_requested',
      'order.reserve_requested after order.created',
    ]);
  });
});
