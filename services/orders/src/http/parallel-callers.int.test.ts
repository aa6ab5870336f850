import { stepsUntil, startOrders, type RunningOrders, type Step } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const callers = Array.from({ length: 20 }, (_, index) => index);

describe('20 concurrent requests to two replicas', () => {
  it.each([
    ['reserve', []],
    ['cancel', []],
    ['cancel', stepsUntil.reserved],
    ['escrow', stepsUntil.reserved],
    ['fund', stepsUntil.escrowed],
    ['release', stepsUntil.inProgress],
    ['refund', stepsUntil.inProgress],
    ['dispute', stepsUntil.inProgress],
  ] as const)('2xx for exactly one %s after %j, 400 INVALID_STATE for the others', async (step, steps) => {
    const { id } = await orders.anOrderAfter(steps);
    const responses = await Promise.all(callers.map((index) => (index % 2 === 0 ? orders : orders.replica).do(id, step)));
    const codes = responses.map(({ status, code }) => `${status} ${code ?? 'done'}`).sort();
    const won = step === 'release' || step === 'refund' ? '200 done' : '201 done';
    expect(codes).toEqual([won, ...Array.from({ length: 19 }, () => '400 INVALID_STATE')]);
    // While the winner's saga runs, the status may still be an allowed one: then the details name the saga.
    const contradictory = responses.filter(
      ({ details: { operation, currentStatus, allowedStatuses = [] } }) =>
        operation === undefined && (allowedStatuses as readonly unknown[]).includes(currentStatus),
    );
    expect(contradictory).toEqual([]);
  });

  it('2xx for exactly one of release, refund and dispute', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
      const steps: readonly Step[] = ['release', 'refund', 'dispute'];
      const responses = await Promise.all(
        callers.slice(0, 18).map((index) => orders.do(id, steps[(index + round) % 3] ?? 'release')),
      );
      const losers = responses.filter(({ status }) => status >= 300);
      expect([losers.length, ...new Set(losers.map(({ status, code }) => `${status} ${code}`))]).toEqual([
        17,
        '400 INVALID_STATE',
      ]);
      const events = (await orders.eventsOf(id)).filter(({ aggregateType }) => aggregateType === 'Order');
      // Two replicas publish them, so that a later one may arrive first.
      const versions = events.map(({ aggregateVersion }) => aggregateVersion).toSorted((one, other) => one - other);
      expect(versions).toEqual(events.map((_, index) => index + 1));
    }
  });

  it('201 for exactly one completion of each milestone', async () => {
    const milestones = ['a', 'b', 'c', 'd'].map((ref) => ({ ref, title: ref, amount: '25.00' }));
    const { id } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones });
    const responses = await Promise.all(
      callers.map((index) => orders.post(`/orders/${id}/milestones/${milestones[index % 4]?.ref ?? ''}/complete`, {})),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(4);
    expect(responses.filter(({ code }) => code === 'INVALID_STATE')).toHaveLength(16);
    expect((await orders.orderNow(id)).milestones.map(({ status }) => status)).toEqual(milestones.map(() => 'COMPLETED'));
  });
});
