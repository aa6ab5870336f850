import type { Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestMilestone, requestSettlement, type MilestoneChoice, type TestOrder } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf, contractsOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;
beforeAll(async () => {
  adapter = await startAdapter();
});
afterAll(() => adapter.stop());

const usdcOf = async (userId: UserId): Promise<number> =>
  balanceOf(adapter, await adapter.accounts.wallets.addressOf(userId, defaultMarketplaceId));

const anOrder = (parts: readonly string[] = ['50.00', '30.00', '20.00']): Promise<TestOrder> =>
  aFundedContract(adapter, { parts, releaseMode: 'milestone' });

const ofRun = ({ sagaRunId }: Envelope): readonly Envelope[] =>
  adapter.published.filter((message) => message.sagaRunId === sagaRunId && message.type !== 'escrow.settlement_requested');
const typesOf = (command: Envelope): readonly string[] => ofRun(command).map(({ type }) => type);
const payloadOf = (command: Envelope, type: string): unknown => ofRun(command).find((message) => message.type === type)?.payload;

const ends = ['escrow.milestone_settled', 'escrow.settlement_failed', 'escrow.settlement_contradicted'];

/** Pays a milestone, and waits for the reply. */
async function pay(order: TestOrder, choice: MilestoneChoice): Promise<Envelope> {
  const command = await requestMilestone(adapter, order, choice);
  await eventually(() => expect(typesOf(command).filter((type) => ends.includes(type))).toHaveLength(1));
  return command;
}

async function settle(order: TestOrder, choice: Parameters<typeof requestSettlement>[2]): Promise<Envelope> {
  const command = await requestSettlement(adapter, order, choice);
  await eventually(() => expect(typesOf(command)).toHaveLength(1));
  return command;
}

const storedOf = async ({ escrowId }: TestOrder): Promise<unknown> =>
  (
    await adapter.database.asAdmin(
      `select status, milestones_settled as settled from escrow_adapter.contracts where escrow_id = $1`,
      [escrowId],
    )
  )[0];

describe('a milestone', () => {
  it('is released: its amount leaves the contract, and the others stay', async () => {
    const order = await anOrder();
    const command = await pay(order, { ref: 'part-1', decision: 'RELEASE', cause: 'review_period' });
    expect(typesOf(command)).toEqual(['milestone.released', 'escrow.milestone_settled']);
    expect(payloadOf(command, 'milestone.released')).toEqual({
      orderId: order.orderId,
      escrowId: order.escrowId,
      milestoneRef: 'part-1',
      amount: '30.00',
      platformFee: '1.50',
      netAmount: '28.50',
      releasedAt: expect.any(String),
      cause: 'review_period',
    });
    expect(payloadOf(command, 'escrow.milestone_settled')).toMatchObject({
      milestoneRef: 'part-1',
      amount: '30.00',
      currency: 'USD',
      sellerAmount: '30.00',
      buyerAmount: '0.00',
      platformFee: '1.50',
      buyerId: order.buyerId,
      sellerId: order.sellerId,
    });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ type: 'multi-release', balance: 70 }]);
    expect(await usdcOf(order.sellerId)).toBe(28.41);
    expect(await storedOf(order)).toEqual({ status: 'FUNDED', settled: [{ index: 1, decision: 'RELEASE' }] });
  });

  it('has events about its order that follow each other, counted as their own part', async () => {
    const order = await anOrder();
    const command = await pay(order, { ref: 'part-0', decision: 'SPLIT', sellerAmount: '20.00' });
    const messages = ofRun(command);
    expect(messages.map(({ aggregateType, aggregateId, aggregatePart }) => [aggregateType, aggregateId, aggregatePart])).toEqual([
      ['Order', order.orderId, 'escrow-adapter'],
      ['Order', order.orderId, 'escrow-adapter'],
      ['Escrow', order.escrowId, 'escrow-adapter'],
    ]);
    const versions = messages.map(({ aggregateVersion }) => aggregateVersion);
    expect(versions).toEqual([3, 4, 5]);
    expect(messages.map(({ afterEventId }) => afterEventId)).toEqual([command.afterEventId, messages[0]?.id, messages[1]?.id]);
    expect(new Set(messages.map(({ saga }) => saga))).toEqual(new Set(['resolve-milestone-dispute']));
  });

  it('is refunded to the buyer in full', async () => {
    const order = await anOrder();
    const command = await pay(order, { ref: 'part-2', decision: 'REFUND' });
    expect(typesOf(command)).toEqual(['milestone.refunded', 'escrow.milestone_settled']);
    expect(payloadOf(command, 'milestone.refunded')).toMatchObject({ milestoneRef: 'part-2', amount: '20.00', cause: null });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 80 }]);
    expect([await usdcOf(order.sellerId), await usdcOf(order.buyerId)]).toEqual([0, 18.94]);
  });

  it('is split: each side has its event, and nothing of it stays in the contract', async () => {
    const order = await anOrder();
    const command = await pay(order, { ref: 'part-0', decision: 'SPLIT', sellerAmount: '20.00', cause: 'dispute' });
    expect(typesOf(command)).toEqual(['milestone.released', 'milestone.refunded', 'escrow.milestone_settled']);
    expect(payloadOf(command, 'milestone.released')).toMatchObject({ amount: '20.00', platformFee: '1.00', netAmount: '19.00' });
    expect(payloadOf(command, 'milestone.refunded')).toMatchObject({ amount: '30.00', cause: 'dispute' });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 50 }]);
    expect([await usdcOf(order.sellerId), await usdcOf(order.buyerId)]).toEqual([18.94, 28.41]);
  });

  it('that is split with nothing for one side has no event about it', async () => {
    const order = await anOrder();
    const command = await pay(order, { ref: 'part-0', decision: 'SPLIT', sellerAmount: '0.00' });
    expect(typesOf(command)).toEqual(['milestone.refunded', 'escrow.milestone_settled']);
    expect(await storedOf(order)).toMatchObject({ settled: [{ index: 0, decision: 'REFUND' }] });
  });

  it('is the only one of its contract, too', async () => {
    const order = await anOrder(['100.00']);
    const command = await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    expect(typesOf(command)).toEqual(['milestone.released', 'escrow.released', 'escrow.milestone_settled']);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ type: 'multi-release', balance: 0 }]);
  });

  it('whose command is resent brings all its messages again, with the same ids', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'REFUND' });
    const command = await pay(order, { ref: 'part-1', decision: 'SPLIT', sellerAmount: '10.00' });
    const first = ofRun(command);
    expect(first).toHaveLength(4);
    await adapter.republish(command);
    await eventually(() => expect(ofRun(command)).toHaveLength(8));
    expect(ofRun(command).slice(4)).toEqual(first);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('is not paid twice by two runs, nor with another amount', async () => {
    const order = await anOrder();
    await pay(order, { ref: 'part-1', decision: 'RELEASE' });
    const again = await pay(order, { ref: 'part-1', decision: 'REFUND' });
    expect(payloadOf(again, 'escrow.settlement_failed')).toMatchObject({ reason: 'the milestone is paid out already' });
    const wrong = await pay(
      { ...order, milestones: order.milestones.map((milestone) => ({ ...milestone, amount: '49.99' })) },
      { ref: 'part-0', decision: 'RELEASE' },
    );
    expect(payloadOf(wrong, 'escrow.settlement_failed')).toMatchObject({
      reason: 'the contract has another amount to pay out',
      isDisputed: false,
    });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 70 }]);
  });
});

describe('several milestones', () => {
  it('are paid at the same time, without an attempt that counts', async () => {
    const order = await anOrder();
    const commands = await Promise.all([
      requestMilestone(adapter, order, { ref: 'part-0', decision: 'RELEASE' }),
      requestMilestone(adapter, order, { ref: 'part-1', decision: 'REFUND' }),
      requestMilestone(adapter, order, { ref: 'part-2', decision: 'SPLIT', sellerAmount: '5.00' }),
    ]);
    await eventually(() =>
      expect(commands.flatMap(typesOf).filter((type) => type === 'escrow.milestone_settled')).toHaveLength(3),
    );
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    expect(commands.flatMap(typesOf).filter((type) => type === 'escrow.released')).toHaveLength(1);
    const attempts = await adapter.database.asAdmin(
      `select distinct attempts from escrow_adapter.intents where subject = $1 and kind = 'settle'`,
      [order.escrowId],
    );
    expect(attempts).toEqual([{ attempts: 0 }]);
    const versions = adapter.published
      .filter(({ aggregateId }) => aggregateId === order.orderId || aggregateId === order.escrowId)
      .filter(({ aggregatePart }) => aggregatePart === 'escrow-adapter')
      .map(({ aggregateVersion }) => aggregateVersion);
    expect(new Set(versions).size).toBe(versions.length);
  });

  it('end the escrow with the last one: a release after a refund is a release', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-1', decision: 'REFUND' });
    const last = await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    expect(typesOf(last)).toEqual(['milestone.released', 'escrow.released', 'escrow.milestone_settled']);
    expect(payloadOf(last, 'escrow.released')).toMatchObject({ amount: '60.00', platformFee: '3.00', netAmount: '57.00' });
    expect(payloadOf(last, 'escrow.released')).not.toHaveProperty('refundAmount');
    expect(await storedOf(order)).toMatchObject({ status: 'SETTLED' });
  });

  it('end the escrow with the last one: a refund after a release is a release that paid the buyer', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    const last = await pay(order, { ref: 'part-1', decision: 'REFUND' });
    expect(typesOf(last)).toEqual(['milestone.refunded', 'escrow.released', 'escrow.milestone_settled']);
    expect(payloadOf(last, 'escrow.released')).toMatchObject({
      amount: '40.00',
      platformFee: '0.00',
      netAmount: '0.00',
      buyerId: order.buyerId,
      refundAmount: '40.00',
    });
  });

  it('end the escrow as refunded if every one of them was refunded', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'REFUND' });
    const last = await pay(order, { ref: 'part-1', decision: 'REFUND' });
    expect(typesOf(last)).toEqual(['milestone.refunded', 'escrow.refunded', 'escrow.milestone_settled']);
    expect(payloadOf(last, 'escrow.refunded')).toMatchObject({ amount: '40.00', buyerId: order.buyerId });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });
});

describe('what is left of a contract', () => {
  it('is released as a whole after a milestone was paid', async () => {
    const order = await anOrder();
    await pay(order, { ref: 'part-1', decision: 'REFUND' });
    const command = await settle(order, { decision: 'RELEASE', amount: '70.00' });
    expect(payloadOf(command, 'escrow.released')).toMatchObject({ amount: '70.00', platformFee: '3.50', netAmount: '66.50' });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    expect(await usdcOf(order.sellerId)).toBe(66.29);
    expect(await storedOf(order)).toEqual({
      status: 'SETTLED',
      settled: [
        { index: 1, decision: 'REFUND' },
        { index: 0, decision: 'RELEASE' },
        { index: 2, decision: 'RELEASE' },
      ],
    });
  });

  it('is split: the seller’s part fills the milestones in order, and the one on the border is split', async () => {
    const order = await anOrder();
    await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    const command = await settle(order, { decision: 'SPLIT', amount: '50.00', sellerAmount: '35.00' });
    expect(payloadOf(command, 'escrow.released')).toMatchObject({ netAmount: '33.25', refundAmount: '15.00' });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    expect(await storedOf(order)).toMatchObject({
      settled: [
        { index: 0, decision: 'RELEASE' },
        { index: 1, decision: 'RELEASE' },
        { index: 2, decision: 'SPLIT' },
      ],
    });
    expect([await usdcOf(order.sellerId), await usdcOf(order.buyerId)]).toEqual([80.495, 14.205]);
  });

  it('is refunded after a release of one milestone, which contradicts nothing', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    const command = await settle(order, { decision: 'REFUND', amount: '40.00' });
    expect(payloadOf(command, 'escrow.refunded')).toMatchObject({ amount: '40.00' });
  });

  it('is not paid with the amount of the order', async () => {
    const order = await anOrder(['60.00', '40.00']);
    await pay(order, { ref: 'part-0', decision: 'RELEASE' });
    const command = await settle(order, { decision: 'REFUND' });
    expect(payloadOf(command, 'escrow.settlement_failed')).toMatchObject({
      reason: 'the contract has another amount to pay out',
    });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 40 }]);
  });
});
