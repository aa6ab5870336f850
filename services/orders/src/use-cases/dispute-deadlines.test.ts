import type { DisputeId } from '@holdfast/kernel/ids';
import { refusalOf } from '@holdfast/testing/memory';
import { memoryOrders, stepsUntil, type MemoryOrders } from '../testing/memory-orders.js';
import { addDisputeComment } from './add-dispute-comment.js';
import { addDisputeEvidence } from './add-dispute-evidence.js';
import { assignDispute } from './assign-dispute.js';
import { disputeMilestone } from './dispute-milestone.js';
import { fireDueTimers } from './fire-due-timers.js';
import { getDispute } from './get-dispute.js';
import { listDisputes } from './list-disputes.js';
import { openDispute } from './open-dispute.js';
import { previewResolution } from './preview-resolution.js';
import { disputeRecordIn } from './records.js';
import { requestResolution } from './request-resolution.js';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const { signal } = new AbortController();

let orders: MemoryOrders;
beforeEach(async () => {
  orders = memoryOrders();
  await setRules('opener');
});
afterEach(() => orders.idle());

/** Three days to respond, ten to decide. */
function setRules(onNoResponse: 'none' | 'opener') {
  const payload = { marketplaceId: 'mkt_default', disputeResponsePeriod: 'P3D', disputeDecisionPeriod: 'P10D', onNoResponse };
  const message = { id: orders.deps.newId('evt'), aggregateVersion: onNoResponse === 'opener' ? 2 : 3, payload };
  return orders.deps.handleMarketplaceChanged(message as never, orders.by());
}

async function pass(ms: number): Promise<void> {
  orders.clock.advance(ms);
  orders.keepAlive();
  await fireDueTimers(orders.deps, { contextOf: () => orders.by({ type: 'timer', id: 'timer' }), signal });
  await orders.idle();
}

async function aDispute(openedBy: 'BUYER' | 'SELLER' = 'BUYER') {
  const { id: orderId } = await orders.anOrderAfter(stepsUntil.inProgress);
  const { id } = await openDispute(orders.deps, { orderId, openedBy, reason: 'OTHER' }, orders.by());
  return { id, orderId };
}

const disputeNow = async (id: DisputeId) => disputeRecordIn(await getDispute(orders.deps, { id }, orders.by()));
const typesOf = (orderId: string) => orders.eventsOf(orderId).map(({ type }) => type);
const evidence = { by: 'SELLER', text: 'It was delivered on Monday.' } as const;

describe('a dispute of a marketplace with deadlines', () => {
  it('has both of them from its opening, whatever the marketplace decides later', async () => {
    const { id } = await aDispute();
    await setRules('none');
    expect(await disputeNow(id)).toMatchObject({
      respondBy: '2026-02-03T12:00:00.000000Z',
      decideBy: '2026-02-10T12:00:00.000000Z',
      onNoResponse: 'opener',
    });
  });

  it.each([
    ['BUYER', 'FULL_REFUND', 'REFUNDED'],
    ['SELLER', 'FULL_RELEASE', 'RELEASED'],
  ] as const)('opened by the %s is won by the opener if the other side is silent', async (openedBy, decision, closeReason) => {
    const { id, orderId } = await aDispute(openedBy);
    await pass(3 * dayMs - 1);
    expect((await disputeNow(id)).status).toBe('OPEN');
    await pass(1);
    expect(await disputeNow(id)).toMatchObject({ status: 'RESOLVED', resolutionDecision: decision, assignedTo: 'timer' });
    expect(await orders.orderNow(orderId)).toMatchObject({ status: 'CLOSED', closeReason });
    const assigned = orders.auditsOf(orderId).filter(({ action }) => action === 'DISPUTE_ASSIGNED');
    expect(assigned).toMatchObject([{ actorType: 'timer' }]);
  });

  it('about one milestone is won for that milestone only', async () => {
    const milestones = [
      { ref: 'draft', title: 'Draft', amount: '40.00' },
      { ref: 'final', title: 'Final', amount: '60.00' },
    ];
    const { id: orderId } = await orders.anOrderAfter(stepsUntil.inProgress, { milestones, releaseMode: 'milestone' });
    await disputeMilestone(orders.deps, { id: orderId, ref: 'draft', openedBy: 'BUYER', reason: 'OTHER' }, orders.by());
    await pass(3 * dayMs);
    const order = await orders.orderNow(orderId);
    expect(order.milestones.map(({ status }) => status)).toEqual(['REFUNDED', 'OPEN']);
    expect(order.status).toBe('IN_PROGRESS');
  });

  it('keeps the agent to whom it was assigned', async () => {
    const { id } = await aDispute();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-3' }, orders.by());
    await pass(3 * dayMs);
    expect(await disputeNow(id)).toMatchObject({ status: 'RESOLVED', assignedTo: 'agent-3' });
  });

  it.each([
    ['evidence', (id: DisputeId) => addDisputeEvidence(orders.deps, { id, ...evidence }, orders.by())],
    ['a comment', (id: DisputeId) => addDisputeComment(orders.deps, { id, text: 'No.', author: 'SELLER' }, orders.by())],
  ])('is decided by a person after %s of the other side', async (_, respond) => {
    const { id } = await aDispute();
    await pass(2 * dayMs);
    await respond(id);
    await pass(2 * dayMs);
    expect((await disputeNow(id)).status).toBe('OPEN');
  });

  it.each([
    ['evidence', (id: DisputeId) => addDisputeEvidence(orders.deps, { id, by: 'BUYER', text: 'More.' }, orders.by())],
    ['a comment', (id: DisputeId) => addDisputeComment(orders.deps, { id, text: 'Hello?', author: 'BUYER' }, orders.by())],
    ['a comment of an agent', (id: DisputeId) => addDisputeComment(orders.deps, { id, text: 'Waiting.' }, orders.by())],
  ])('is not answered by %s of the opener or anyone else', async (_, act) => {
    const { id } = await aDispute();
    await act(id);
    await pass(3 * dayMs);
    expect((await disputeNow(id)).status).toBe('RESOLVED');
  });

  it('can be answered after an outage until the grace period has passed', async () => {
    const { id, orderId } = await aDispute();
    await pass(1);
    orders.clock.advance(4 * dayMs);
    await fireDueTimers(orders.deps, { contextOf: () => orders.by({ type: 'timer', id: 'timer' }), signal });
    const extended = await disputeNow(id);
    expect(extended).toMatchObject({ status: 'OPEN', respondBy: '2026-02-05T12:00:00.001000Z' });
    await pass(minuteMs);
    expect(orders.eventsOf(orderId).findLast(({ type }) => type === 'dispute.due_soon')?.payload).toMatchObject({
      dueAt: extended.respondBy,
    });
    await addDisputeEvidence(orders.deps, { id, ...evidence }, orders.by());
    await pass(2 * dayMs);
    expect((await disputeNow(id)).status).toBe('OPEN');
  });

  it('is overdue once, and nothing else happens', async () => {
    await setRules('none');
    const { id, orderId } = await aDispute();
    await pass(10 * dayMs);
    await pass(dayMs);
    expect((await disputeNow(id)).status).toBe('OPEN');
    const announced = typesOf(orderId).filter((type) => type === 'dispute.overdue' || type === 'dispute.due_soon');
    expect(announced).toEqual(['dispute.overdue']);
    const listed = async (overdue: boolean) => (await listDisputes(orders.deps, { limit: 10, overdue }, orders.by())).items;
    expect(await listed(true)).toMatchObject([{ id }]);
    expect(await listed(false)).toEqual([]);
  });

  it('announces each deadline a day before', async () => {
    await setRules('none');
    const { orderId } = await aDispute();
    await pass(2 * dayMs);
    await pass(7 * dayMs);
    const announced = orders.eventsOf(orderId).filter(({ type }) => type === 'dispute.due_soon');
    expect(announced.map(({ payload }) => (payload as { dueAt: string }).dueAt.slice(0, 10))).toEqual([
      '2026-02-03',
      '2026-02-10',
    ]);
  });
});

describe('addDisputeEvidence', () => {
  it('stores the same evidence once, with one event and one audit entry', async () => {
    const { id, orderId } = await aDispute();
    const add = () => addDisputeEvidence(orders.deps, { id, ...evidence }, orders.by());
    const first = await add();
    orders.clock.advance(minuteMs);
    expect(await add()).toEqual(first);
    expect(first.evidenceEntries).toMatchObject([{ ...evidence, url: null }]);
    expect(typesOf(orderId).filter((type) => type === 'dispute.evidence_added')).toHaveLength(1);
    const audits = orders.auditsOf(orderId).filter(({ action }) => action === 'DISPUTE_EVIDENCE_ADDED');
    expect(audits).toHaveLength(1);
    expect(JSON.stringify(audits)).not.toContain('Monday');
  });

  it('INVALID_STATE with the deadline once it has passed', async () => {
    await setRules('none');
    const { id } = await aDispute();
    orders.clock.advance(3 * dayMs);
    const refused = await refusalOf(addDisputeEvidence(orders.deps, { id, ...evidence }, orders.by()));
    expect(refused).toMatchObject(['INVALID_STATE', { respondBy: '2026-02-03T12:00:00.000000Z' }]);
  });

  it('INVALID_STATE once the dispute is resolved', async () => {
    const { id } = await aDispute();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-3' }, orders.by());
    await requestResolution(orders.deps, { id, decision: 'FULL_REFUND' }, orders.by());
    const refused = await refusalOf(addDisputeEvidence(orders.deps, { id, ...evidence }, orders.by()));
    expect(refused).toMatchObject(['INVALID_STATE', { currentStatus: 'RESOLVED' }]);
  });
});

describe('previewResolution', () => {
  const split = { decision: 'SPLIT', releaseAmount: '60.00', refundAmount: '40.00' } as const;

  it('returns what the resolution pays, and changes nothing', async () => {
    const { id, orderId } = await aDispute();
    await assignDispute(orders.deps, { id, assignedTo: 'agent-3' }, orders.by());
    const before = await orders.orderNow(orderId);
    const preview = await previewResolution(orders.deps, { id, ...split }, orders.by());
    expect(await orders.orderNow(orderId)).toEqual(before);
    await requestResolution(orders.deps, { id, ...split }, orders.by());
    const paid = orders.eventsOf(orderId).find(({ type }) => type === 'order.released')?.payload;
    expect(paid).toMatchObject({ amount: preview.sellerAmount, platformFee: preview.platformFee, netAmount: preview.sellerNet });
    expect(preview).toMatchObject({ buyerAmount: '40.00', providerCost: '0.30' });
  });

  it('makes the checks of the resolution', async () => {
    const { id } = await aDispute();
    const preview = (given: object) => refusalOf(previewResolution(orders.deps, { id, ...split, ...given }, orders.by()));
    expect(await preview({})).toMatchObject(['INVALID_STATE', { currentStatus: 'OPEN' }]);
    await assignDispute(orders.deps, { id, assignedTo: 'agent-3' }, orders.by());
    expect(await preview({ refundAmount: '40.01' })).toMatchObject(['INVALID_AMOUNT', {}]);
  });
});
