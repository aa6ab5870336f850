import type { DisputeRecord } from '@holdfast/contracts/http';
import {
  escrowSettlementFailed,
  escrowSettlementRequested,
  marketplaceChanged,
  type Payload,
} from '@holdfast/contracts/messages';
import { defaultMarketplaceId, type OrderId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startOrders, stepsUntil, type RunningOrders } from '../testing/running-orders.js';
import { escrowIdOf, reply } from '../testing/simulated-services.js';

let orders: RunningOrders;
let version = 1;

beforeAll(async () => {
  orders = await startOrders();
});
afterAll(() => orders.stop());
beforeEach(() => setRules({ disputeResponsePeriod: null, disputeDecisionPeriod: null, onNoResponse: 'none' }));

type Rules = Omit<Payload<typeof marketplaceChanged>, 'marketplaceId'>;

/** Publishes the settings of the marketplace as identity does, and waits until the service has stored them. */
async function setRules(rules: Rules): Promise<void> {
  version += 1;
  const payload = { marketplaceId: defaultMarketplaceId, ...rules };
  await orders.simulated.publish(marketplaceChanged, payload, { aggregateId: defaultMarketplaceId, aggregateVersion: version });
  await eventually(async () =>
    expect(await orders.database.asAdmin('select version from orders.marketplaces')).toEqual([{ version }]),
  );
}

const milestones = [
  { ref: 'draft', title: 'Draft', amount: '40.00' },
  { ref: 'final', title: 'Final', amount: '60.00' },
];

async function aSubmittedMilestone() {
  const given = { milestones, releaseMode: 'milestone', reviewPeriod: 'PT1S' };
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress, given);
  const submitted = await orders.post(`/orders/${id}/milestones/draft/submit`, { evidence: { text: 'Done.' } });
  expect(submitted.status).toBe(201);
  const statusNow = async () => (await orders.orderNow(id)).milestones[0]?.status;
  return { id, statusNow };
}

async function aDispute(): Promise<DisputeRecord> {
  const { id } = await orders.anOrderAfter(stepsUntil.inProgress);
  return (await orders.do(id, 'dispute')).data.data as DisputeRecord;
}

const disputeNow = async (id: string) => (await orders.get(`/disputes/${id}`)).data.data as DisputeRecord;

describe('a review period of a second', () => {
  it('releases the milestone once, with two replicas', async () => {
    const { id, statusNow } = await aSubmittedMilestone();
    await eventually(async () => expect(await statusNow()).toBe('RELEASED'));
    const commands = orders.published.filter(({ type, payload }) => {
      const { orderId } = payload as { readonly orderId?: OrderId };
      return type === escrowSettlementRequested.type && orderId === id;
    });
    expect(commands).toHaveLength(1);
    expect((await orders.eventsOf(id)).map(({ type }) => type)).toContain('milestone.release_due_soon');
    expect((await orders.auditsOf(id)).find(({ action }) => action === 'MILESTONE_RELEASED')).toMatchObject({
      actorType: 'timer',
    });
  });

  it('tries again when the provider was down', async () => {
    const { id, statusNow } = await aSubmittedMilestone();
    const failed = { orderId: id, escrowId: escrowIdOf(id), reason: 'the provider is down', isDisputed: false };
    orders.simulated.replyNextWith(id, escrowSettlementRequested, () => [reply(escrowSettlementFailed, failed as never)]);
    await eventually(async () =>
      expect((await orders.auditsOf(id)).map(({ action }) => action)).toContainEqual(expect.stringMatching(/FAILED$/)),
    );
    expect(await statusNow()).toBe('SUBMITTED');
    await orders.database.asAdmin('update orders.timers set due_at = now() where order_id = $1', [id]);
    await eventually(async () => expect(await statusNow()).toBe('RELEASED'));
  });
});

describe('POST /disputes/{id}/evidence', () => {
  const evidence = { by: 'SELLER', text: 'It was delivered.', url: 'https://files.example/1.pdf' };

  it('201 with the dispute, and the same evidence is stored once', async () => {
    const { id } = await aDispute();
    const responses = [
      await orders.post(`/disputes/${id}/evidence`, evidence),
      await orders.post(`/disputes/${id}/evidence`, evidence),
    ];
    expect(responses.map(({ status }) => status)).toEqual([201, 201]);
    expect((await disputeNow(id)).evidenceEntries).toMatchObject([evidence]);
  });

  it.each([
    ['neither text nor url', { by: 'SELLER' }],
    ['an address without TLS', { by: 'SELLER', url: 'http://files.example/1.pdf' }],
    ['a text that is too long', { by: 'SELLER', text: 'x'.repeat(4_001) }],
    ['another side', { by: 'AGENT', text: 'Hello' }],
    ['an unknown field', { ...evidence, at: '2026-01-01T00:00:00Z' }],
  ])('400 VALIDATION_ERROR for %s', async (_, body) => {
    const { id } = await aDispute();
    const response = await orders.post(`/disputes/${id}/evidence`, body);
    expect([response.status, response.code]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('400 INVALID_STATE after the deadline, with the deadline', async () => {
    await setRules({ disputeResponsePeriod: 'PT1S', disputeDecisionPeriod: null, onNoResponse: 'none' });
    const { id, respondBy } = await aDispute();
    const response = await eventually(async () => {
      const refused = await orders.post(`/disputes/${id}/evidence`, { by: 'BUYER', text: 'More.' });
      expect(refused.status).toBe(400);
      return refused;
    });
    expect([response.code, response.details]).toMatchObject(['INVALID_STATE', { currentStatus: 'OPEN', respondBy }]);
  });

  it('404 DISPUTE_NOT_FOUND for an unknown dispute and for a dispute of another marketplace', async () => {
    const { id } = await aDispute();
    for (const [path, by] of [
      ['dsp_unknown', {}],
      [id, { marketplaceId: 'mkt_other' }],
    ] as const) {
      const response = await orders.post(`/disputes/${path}/evidence`, evidence, by);
      expect([response.status, response.code]).toEqual([404, 'DISPUTE_NOT_FOUND']);
    }
  });
});

describe('a dispute with deadlines of a second', () => {
  it('is won by the opener if the other side is silent', async () => {
    await setRules({ disputeResponsePeriod: 'PT1S', disputeDecisionPeriod: null, onNoResponse: 'opener' });
    const { id } = await aDispute();
    await eventually(async () =>
      expect(await disputeNow(id)).toMatchObject({ status: 'RESOLVED', resolutionDecision: 'FULL_REFUND', assignedTo: 'timer' }),
    );
  });

  it('is listed as overdue until it is resolved', async () => {
    await setRules({ disputeResponsePeriod: null, disputeDecisionPeriod: 'PT1S', onNoResponse: 'none' });
    const { id, orderId } = await aDispute();
    const listed = async (overdue: boolean) => {
      const { data } = await orders.get(`/disputes?overdue=${overdue}&orderId=${orderId}`);
      return (data.data as readonly DisputeRecord[]).map((dispute) => dispute.id);
    };
    expect([await listed(true), await listed(false)]).toEqual([[], [id]]);
    await eventually(async () => expect([await listed(true), await listed(false)]).toEqual([[id], []]));
    await orders.post(`/disputes/${id}/assign`, { assignedTo: 'agent-3' });
    const preview = await orders.post(`/disputes/${id}/resolve?preview=true`, { decision: 'FULL_RELEASE' });
    expect([preview.status, preview.data.data]).toMatchObject([
      200,
      { sellerAmount: '100.00', buyerAmount: '0.00', providerCost: '0.30' },
    ]);
    expect((await disputeNow(id)).status).toBe('UNDER_REVIEW');
    await orders.post(`/disputes/${id}/resolve`, { decision: 'FULL_RELEASE' });
    expect(await listed(true)).toEqual([]);
    expect((await orders.eventsOf(orderId)).filter(({ type }) => type === 'dispute.overdue')).toHaveLength(1);
  });

  it('400 VALIDATION_ERROR for an unknown value of overdue and of preview', async () => {
    const responses = [
      await orders.get('/disputes?overdue=yes'),
      await orders.post('/disputes/dsp_1/resolve?preview=1', { decision: 'SPLIT' }),
    ];
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
  });
});
