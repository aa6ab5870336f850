import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestMilestone, requestSettlement, type MilestoneChoice, type TestOrder } from './testing/orders.js';
import { buyerOf, doOutside, sellerOf } from './testing/outside-steps.js';
import { providerOutage } from './testing/provider-outage.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';
import { sendWebhook } from './testing/send-webhook.js';
import { checkContracts } from './use-cases/check-contracts.js';

const outage = providerOutage();
let adapter: RunningAdapter;
beforeAll(async () => {
  adapter = await startAdapter({ wrapProvider: outage.wrapProvider });
});
afterEach(() => {
  outage.end();
});
afterAll(() => adapter.stop());

const anOrder = (parts: readonly string[] = ['50.00', '50.00', '20.00']): Promise<TestOrder> =>
  aFundedContract(adapter, { parts, releaseMode: 'milestone' });

const check = (): Promise<void> => checkContracts(adapter.first.adapter.deps, 0);

async function releaseOutside(order: TestOrder, index: number): Promise<string> {
  await doOutside(adapter, order, { does: 'complete', index }, sellerOf(order));
  await doOutside(adapter, order, { does: 'approve', index }, buyerOf(order));
  return doOutside(adapter, order, { does: 'release', index }, buyerOf(order));
}

async function resolveOutside(order: TestOrder, index: number, to: 'buyer' | 'seller', units: bigint): Promise<string> {
  await doOutside(adapter, order, { does: 'dispute', index }, buyerOf(order));
  return doOutside(adapter, order, { does: 'resolve', index, distributions: [{ to, units }] }, 'platform');
}

const ofCommands = ['escrow.settlement_requested', 'escrow.deploy_requested', 'balance.reserved_deducted'];
const early = ['escrow.created', 'escrow.funded', 'escrow.milestone_seen'];

/** What this service published about an order after its funding, but for completed milestones. */
const about = ({ orderId }: TestOrder): readonly Envelope[] =>
  adapter.published.filter(
    ({ type, payload }) =>
      ![...ofCommands, ...early].includes(type) && (payload as { readonly orderId?: string }).orderId === orderId,
  );
const typesOf = (order: TestOrder): readonly string[] => about(order).map(({ type }) => type);

/** The provider's event about a transaction, signed. */
async function notify(order: TestOrder, transaction_hash: string): Promise<void> {
  const [contract] = await contractsOf(adapter, order.orderId);
  const data = { contract_id: contract?.contractId, transaction_hash };
  const body = JSON.stringify({ type: 'escrow.refunded', event_id: adapter.newId('whe'), data });
  expect((await sendWebhook(adapter, body, 'right')).status).toBe(200);
}

async function waitForTypes(order: TestOrder, types: readonly string[]): Promise<void> {
  await eventually(() => expect(typesOf(order)).toEqual(types));
}

/** Pays a milestone, and waits for all replies. */
async function pay(order: TestOrder, choice: MilestoneChoice): Promise<void> {
  const { id } = await requestMilestone(adapter, order, choice);
  await eventually(async () => {
    const [intent] = await adapter.database.asAdmin<{ readonly replies: readonly Envelope[] | null }>(
      'select replies from escrow_adapter.intents where id = $1',
      [id],
    );
    const published = new Set(about(order).map((message) => message.id));
    expect(intent?.replies?.every((reply) => published.has(reply.id))).toBe(true);
  });
}

describe('a milestone that was released outside', () => {
  it('is published once, without a run, in the saga that books it', async () => {
    const order = await anOrder();
    await releaseOutside(order, 2);
    await Promise.all([check(), check()]);
    await check();
    await waitForTypes(order, ['milestone.released', 'escrow.milestone_settled']);
    const [released, settled] = about(order);
    expect(released?.payload).toMatchObject({ milestoneRef: 'part-2', amount: '20.00', platformFee: '1.00', cause: null });
    expect(settled?.payload).toMatchObject({ milestoneRef: 'part-2', sellerAmount: '20.00', buyerAmount: '0.00' });
    expect([settled?.saga, settled?.sagaRunId, settled?.afterEventId]).toEqual(['release-milestone', undefined, released?.id]);
  });

  it('is repeated until the ledger and orders have acknowledged it', async () => {
    const order = await anOrder();
    adapter.acknowledgeOnly(() => false);
    await releaseOutside(order, 0);
    await check();
    const settled = await adapter.waitForReply(order.orderId, 'escrow.milestone_settled');
    const awaited = await adapter.database.asAdmin('select awaits from escrow_adapter.outbox where message_id = $1', [
      settled.id,
    ]);
    expect(awaited).toEqual([{ awaits: ['ledger-balance', 'orders'] }]);
    adapter.acknowledgeOnly(() => true);
  });

  it('ends the escrow if it was the last one', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'REFUND' });
    await releaseOutside(order, 1);
    await check();
    await eventually(() =>
      expect(typesOf(order).slice(-3)).toEqual(['milestone.released', 'escrow.released', 'escrow.milestone_settled']),
    );
    await check();
    expect(typesOf(order).filter((type) => type === 'escrow.released')).toHaveLength(1);
  });

  it.each(['RELEASE', 'REFUND'] as const)(
    'answers a later command with its messages, whatever it requests: %s',
    async (decision) => {
      const order = await anOrder();
      await releaseOutside(order, 0);
      await check();
      const settled = await adapter.waitForReply(order.orderId, 'escrow.milestone_settled');
      const command = await requestMilestone(adapter, order, { ref: 'part-0', decision });
      await eventually(async () => {
        const [intent] = await adapter.database.asAdmin<{ readonly replies: readonly Envelope[] | null }>(
          'select replies from escrow_adapter.intents where id = $1',
          [command.id],
        );
        expect(intent?.replies?.map(({ id }) => id)).toEqual([expect.any(String), settled.id]);
      });
      await eventually(() => expect(about(order).filter(({ id }) => id === settled.id)).toHaveLength(2));
      expect(typesOf(order)).not.toContain('escrow.settlement_failed');
    },
  );

  it('completes the release that was requested meanwhile, and contradicts a refund', async () => {
    const order = await anOrder();
    await releaseOutside(order, 0);
    await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    await check();
    expect(typesOf(order).filter((type) => type === 'milestone.released')).toHaveLength(1);

    await releaseOutside(order, 1);
    await requestMilestone(adapter, order, { ref: 'part-1', decision: 'REFUND' });
    expect((await adapter.waitForReply(order.orderId, 'escrow.settlement_contradicted')).payload).toMatchObject({
      reason: 'the milestone has been paid out in another way',
    });
    // The contradicted intent may have caused the change, so an operator must look before it is published.
    await check();
    expect(typesOf(order).filter((type) => type === 'milestone.released')).toHaveLength(1);
    // The other milestones continue.
    await pay(order, { ref: 'part-2', decision: 'REFUND' });
    expect(typesOf(order)).toContain('milestone.refunded');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('makes the payout of the rest fail, if that was requested before it was known', async () => {
    const order = await anOrder();
    await releaseOutside(order, 0);
    await check();
    await requestSettlement(adapter, order, { decision: 'REFUND' });
    const failed = await adapter.waitForReply(order.orderId, 'escrow.settlement_failed');
    expect(failed.payload).toMatchObject({ reason: 'the contract has another amount to pay out' });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 70 }]);
  });
});

describe('a milestone that changed outside while an intent on another one is open', () => {
  it('is published, and the change by the intent is not', async () => {
    const order = await anOrder();
    outage.now.held = ({ does }) => does === 'dispute';
    await requestMilestone(adapter, order, { ref: 'part-1', decision: 'REFUND' });
    await eventually(() => expect(outage.heldCount()).toBeGreaterThan(0));
    outage.now.held = undefined;
    await releaseOutside(order, 0);
    await doOutside(adapter, order, { does: 'dispute', index: 1 }, buyerOf(order));
    await check();
    await waitForTypes(order, ['milestone.released', 'escrow.milestone_settled']);
    await notify(order, await resolveOutside(order, 2, 'buyer', 200_000_000n));
    await eventually(() => expect(typesOf(order).slice(2)).toEqual(['milestone.refunded', 'escrow.milestone_settled']));
    outage.end();
    await eventually(() => expect(typesOf(order).filter((type) => type === 'milestone.refunded')).toHaveLength(2));
    await check();
    expect(typesOf(order)).not.toContain('escrow.dispute_seen');
  });
});

describe('the payout of the whole rest while an intent on a milestone is open', () => {
  it('is not stored, and fails once the milestone is paid, because it is no longer what is left', async () => {
    const order = await anOrder();
    const before = outage.heldCount();
    outage.now.held = ({ does }) => does === 'dispute';
    await requestMilestone(adapter, order, { ref: 'part-1', decision: 'REFUND' });
    await eventually(() => expect(outage.heldCount()).toBeGreaterThan(before));
    const command = await requestSettlement(adapter, order, { decision: 'RELEASE' });
    const stored = () => adapter.database.asAdmin('select 1 from escrow_adapter.intents where id = $1', [command.id]);
    await check();
    expect(await stored()).toEqual([]);
    outage.end();
    await eventually(() => expect(typesOf(order)).toContain('milestone.refunded'));
    await adapter.republish(command);
    await adapter.waitForReply(order.orderId, 'escrow.settlement_failed');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 70 }]);
  });
});

describe('a milestone that was disputed outside', () => {
  it('is published once with its reference, and is released by a resolution', async () => {
    const order = await anOrder();
    await doOutside(adapter, order, { does: 'dispute', index: 1 }, buyerOf(order));
    await check();
    await check();
    await waitForTypes(order, ['escrow.dispute_seen']);
    expect(about(order)[0]?.payload).toEqual({ escrowId: order.escrowId, orderId: order.orderId, milestoneRef: 'part-1' });
    await pay(order, { ref: 'part-1', decision: 'RELEASE' });
    await waitForTypes(order, ['escrow.dispute_seen', 'milestone.released', 'escrow.milestone_settled']);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 70 }]);
  });
});

describe('a milestone that was resolved outside', () => {
  it.each([
    ['buyer', 'milestone.refunded', 'refund-milestone'],
    ['seller', 'milestone.released', 'release-milestone'],
  ] as const)('to the %s is published as its transaction shows', async (to, type, saga) => {
    const order = await anOrder();
    const hash = await resolveOutside(order, 0, to, 500_000_000n);
    await check();
    expect(typesOf(order)).toEqual([]);
    await notify(order, hash);
    await waitForTypes(order, [type, 'escrow.milestone_settled']);
    expect(about(order)[1]).toMatchObject({ saga, payload: { milestoneRef: 'part-0', amount: '50.00' } });
  });

  it('is not taken for another one of the same amount', async () => {
    const order = await anOrder();
    const [toBuyer, toSeller] = [
      await resolveOutside(order, 0, 'buyer', 500_000_000n),
      await resolveOutside(order, 1, 'seller', 500_000_000n),
    ];
    await notify(order, toSeller);
    await waitForTypes(order, ['milestone.released', 'escrow.milestone_settled']);
    expect(about(order)[0]?.payload).toMatchObject({ milestoneRef: 'part-1' });
    await notify(order, toSeller);
    expect(typesOf(order)).toHaveLength(2);
    await notify(order, toBuyer);
    await eventually(() => expect(typesOf(order)).toHaveLength(4));
    expect(about(order)[2]).toMatchObject({ type: 'milestone.refunded', payload: { milestoneRef: 'part-0' } });
  });

  it('contradicts every decision about it, and none about another one', async () => {
    const order = await anOrder();
    await resolveOutside(order, 0, 'buyer', 500_000_000n);
    await requestMilestone(adapter, order, { ref: 'part-0', decision: 'REFUND' });
    expect((await adapter.waitForReply(order.orderId, 'escrow.settlement_contradicted')).payload).toMatchObject({
      reason: 'the milestone was resolved outside this platform',
    });
    await pay(order, { ref: 'part-1', decision: 'REFUND' });
    expect(typesOf(order)).toContain('milestone.refunded');
  });
});
