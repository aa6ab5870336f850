import { systemClock, toInstant } from '@holdfast/kernel/instants';
import type { TestResponse } from '@holdfast/testing/services';
import { stepsUntil, startOrders, type RunningOrders } from '../testing/running-orders.js';

let orders: RunningOrders;

beforeAll(async () => {
  orders = await startOrders();
});

afterAll(async () => {
  await orders.stop();
});

const seen = ({ status, code }: TestResponse) => [status, code];
const daysFromNow = (days: number) => toInstant(systemClock().epochMs() + days * 86_400_000);
const deliverBy = daysFromNow(30);
const milestones = [
  { ref: 'draft', title: 'First draft', amount: '40.00' },
  { ref: 'final', title: 'Final', amount: '60.00' },
];
const byMilestone = { milestones, releaseMode: 'milestone', reviewPeriod: 'P14D' } as const;

const anOrder = async (given: object = {}) => (await orders.anOrderAfter(stepsUntil.inProgress, { ...byMilestone, ...given })).id;
const post = (id: string, ref: string, call: string, body: object = {}) =>
  orders.post(`/orders/${id}/milestones/${ref}/${call}`, body);

describe('POST /orders', () => {
  const create = (given: object) =>
    orders.post('/orders', { buyerId: orders.aUser(), sellerId: orders.aUser(), amount: '100.00', milestones, ...given });

  it('201 shows how and when the order is paid out; without the fields it is paid as a whole', async () => {
    const { data } = await create({ ...byMilestone, deliverBy, onNotDelivered: 'refund' });
    expect(data.data).toMatchObject({ releaseMode: 'milestone', reviewPeriod: 'P14D', deliverBy, onNotDelivered: 'refund' });
    expect((await create({})).data.data).toMatchObject({
      releaseMode: 'order',
      reviewPeriod: null,
      deliverBy: null,
      onNotDelivered: 'none',
      amounts: { funded: '0.00', released: '0.00', refunded: '0.00', disputed: '0.00', inEscrow: '0.00' },
    });
  });

  it.each<[object]>([
    [{ releaseMode: 'all' }],
    [{ reviewPeriod: 'PT0S' }],
    [{ reviewPeriod: 'P91D' }],
    [{ reviewPeriod: 'P1M' }],
    [{ reviewPeriod: 'P1Y' }],
    [{ reviewPeriod: '14 days' }],
    [{ reviewPeriod: 1_209_600 }],
    [{ deliverBy: '2020-01-01' }],
    [{ deliverBy: daysFromNow(367) }],
    [{ deliverBy: 'soon' }],
    [{ onNotDelivered: 'refund' }],
    [{ onNotDelivered: 'release', deliverBy }],
    [{ milestones: [], releaseMode: 'order' }],
    [{ milestones: [], reviewPeriod: 'P1D' }],
    [{ milestones: [], deliverBy }],
    [{ milestones: [], onNotDelivered: 'none' }],
  ])('400 VALIDATION_ERROR for %j', async (given) => {
    expect(seen(await create(given))).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('the calls on a milestone', () => {
  it('201 with the order and the milestone beside it, and the same on the next read', async () => {
    const id = await anOrder();
    const evidence = { text: 'three drafts', url: 'https://files.example/draft.pdf' };
    const submitted = await post(id, 'draft', 'submit', { evidence });
    expect(submitted.status).toBe(201);
    expect(submitted.data.data.milestone).toMatchObject({ status: 'SUBMITTED', evidence: [evidence] });
    expect((await post(id, 'draft', 'request-changes', { reason: 'too small' })).data.data.milestone.status).toBe('OPEN');
    await post(id, 'draft', 'submit');
    const released = await post(id, 'draft', 'release');
    expect(released).toMatchObject({ status: 201, data: { data: { milestone: { status: 'RELEASED' } } } });
    expect((await post(id, 'final', 'refund', { reason: 'late' })).data.data).toMatchObject({
      status: 'CLOSED',
      closeReason: 'SPLIT',
      milestone: { status: 'REFUNDED' },
    });
    const { milestone: _milestone, ...order } = (await orders.get(`/orders/${id}`)).data.data;
    expect(order.amounts).toEqual({ funded: '100.00', released: '40.00', refunded: '60.00', disputed: '0.00', inEscrow: '0.00' });
    expect((await orders.get(`/orders/${id}/milestones`)).data.data[0]).toEqual(order.milestones[0]);
  });

  it('201 for its own dispute, which is listed, assigned, commented and resolved like one of an order', async () => {
    const id = await anOrder();
    const evidence = { text: 'it is blurred' };
    const { milestone } = (await post(id, 'draft', 'dispute', { openedBy: 'BUYER', reason: 'QUALITY_ISSUE', evidence })).data
      .data;
    const path = `/disputes/${milestone.disputeId}`;
    const dispute = (await orders.get(path)).data.data;
    expect(dispute).toMatchObject({
      milestoneRef: 'draft',
      status: 'OPEN',
      evidence: null,
      evidenceEntries: [{ text: 'it is blurred', url: null, by: 'BUYER' }],
    });
    expect((await orders.get(`/disputes?orderId=${id}`)).data.data).toEqual([dispute]);
    expect((await orders.post(`${path}/assign`, { assignedTo: 'agent-3' })).data.data.status).toBe('UNDER_REVIEW');
    expect((await orders.post(`${path}/comments`, { text: 'I see' })).status).toBe(201);
    const split = { decision: 'SPLIT', releaseAmount: '10.00', refundAmount: '30.00' };
    expect((await orders.post(`${path}/resolve`, split)).data.data).toMatchObject({ status: 'RESOLVED', releaseAmount: '10.00' });
    const order = await orders.orderNow(id);
    expect(order).toMatchObject({ status: 'IN_PROGRESS', dispute: null, milestones: [{ status: 'SPLIT' }, { status: 'OPEN' }] });
    const again = await post(id, 'final', 'dispute', { openedBy: 'SELLER', reason: 'OTHER' });
    expect(again.data.data.milestone).toMatchObject({ status: 'DISPUTED' });
  });

  it('404 MILESTONE_NOT_FOUND for an unknown one, ORDER_NOT_FOUND in another marketplace', async () => {
    const id = await anOrder();
    const bodies = {
      submit: {},
      'request-changes': { reason: 'no' },
      'extend-review': { until: daysFromNow(20) },
      release: {},
      refund: { reason: 'no' },
      dispute: { openedBy: 'BUYER', reason: 'OTHER' },
    };
    for (const [call, body] of Object.entries(bodies)) {
      expect(seen(await post(id, 'nothing', call, body))).toEqual([404, 'MILESTONE_NOT_FOUND']);
      const foreign = { marketplaceId: 'mkt_other', type: 'api_key', id: 'key_other' } as const;
      const path = `/orders/${id}/milestones/draft/${call}`;
      expect(seen(await orders.post(path, body, foreign))).toEqual([404, 'ORDER_NOT_FOUND']);
    }
  });

  it.each([
    ['submit', { evidence: {} }],
    ['submit', { evidence: { url: 'http://files.example/a.pdf' } }],
    ['submit', { evidence: { url: 'javascript:alert(1)' } }],
    ['submit', { evidence: { text: '' } }],
    ['submit', { evidence: { text: 'x'.repeat(4_001) } }],
    ['submit', { evidence: 'a text' }],
    ['submit', { proof: {} }],
    ['request-changes', {}],
    ['request-changes', { reason: ' ' }],
    ['extend-review', {}],
    ['extend-review', { until: 'P3D' }],
    ['release', { amount: '1.00' }],
    ['refund', {}],
    ['dispute', { openedBy: 'PLATFORM', reason: 'OTHER' }],
    ['dispute', { openedBy: 'BUYER', reason: 'OTHER', evidence: ['https://files.example'] }],
  ])('400 VALIDATION_ERROR for %s with %j, and nothing changes', async (call, body) => {
    const id = await anOrder();
    const before = await orders.orderNow(id);
    expect(seen(await post(id, 'draft', call, body))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await orders.orderNow(id)).toEqual(before);
  });

  it('400 INVALID_STATE while the order is not IN_PROGRESS', async () => {
    const { id } = await orders.anOrder(byMilestone);
    expect(await post(id, 'draft', 'submit')).toMatchObject({ status: 400, code: 'INVALID_STATE' });
    const paid = await anOrder({ milestones: [{ ref: 'draft', title: 'All', amount: '100.00' }] });
    await post(paid, 'draft', 'complete');
    await post(paid, 'draft', 'release');
    expect(seen(await post(paid, 'draft', 'dispute', { openedBy: 'BUYER', reason: 'OTHER' }))).toEqual([400, 'INVALID_STATE']);
  });

  it('400 VALIDATION_ERROR for a review that would end earlier', async () => {
    const id = await anOrder();
    await post(id, 'draft', 'submit');
    const before = await orders.orderNow(id);
    expect(seen(await post(id, 'draft', 'extend-review', { until: '2020-01-01' }))).toEqual([400, 'VALIDATION_ERROR']);
    expect(await orders.orderNow(id)).toEqual(before);
  });
});

describe('parallel callers', () => {
  it('release one milestone once; the others get INVALID_STATE', async () => {
    const id = await anOrder();
    await post(id, 'draft', 'complete');
    const responses = await Promise.all(Array.from({ length: 8 }, () => post(id, 'draft', 'release')));
    const statuses = responses.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([201, ...Array.from({ length: 7 }, () => 400)]);
    expect((await orders.orderNow(id)).amounts.released).toBe('40.00');
  });

  it('release the last two at once: both are paid and the order is closed once', async () => {
    const id = await anOrder();
    await post(id, 'draft', 'complete');
    await post(id, 'final', 'complete');
    const responses = await Promise.all([post(id, 'draft', 'release'), post(id, 'final', 'release')]);
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect(await orders.orderNow(id)).toMatchObject({
      status: 'CLOSED',
      closeReason: 'RELEASED',
      amounts: { released: '100.00' },
    });
  });
});
