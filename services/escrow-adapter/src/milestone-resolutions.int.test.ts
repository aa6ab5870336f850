import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestMilestone, type MilestoneChoice, type TestOrder } from './testing/orders.js';
import { buyerOf, doOutside, sellerOf } from './testing/outside-steps.js';
import { startResolving, type Resolving } from './testing/resolving.js';
import type { RunningAdapter } from './testing/running-adapter.js';
import { checkContracts } from './use-cases/check-contracts.js';

let resolving: Resolving;
let adapter: RunningAdapter;

beforeAll(async () => {
  resolving = await startResolving();
  ({ adapter } = resolving);
});
afterEach(() => {
  resolving.outage.end();
});
afterAll(() => adapter.stop());

const anOrder = (): Promise<TestOrder> =>
  aFundedContract(adapter, { parts: ['50.00', '30.00', '20.00'], releaseMode: 'milestone' });

/** The reason of a refusal, or what was decided. */
async function resolved(command: Envelope, body: object): Promise<string> {
  const { status, code, details, data } = await resolving.resolve(command, body);
  return status === 200 ? data.status : `${code} ${String(details['reason'])}`;
}

/** Requests the payout of a milestone, whose worker is then held before its first step. */
const held = (order: TestOrder, choice: MilestoneChoice): Promise<Envelope> =>
  resolving.waitUntilHeld(
    () => true,
    () => requestMilestone(adapter, order, choice),
  );

async function releaseOutside(order: TestOrder, index: number): Promise<string> {
  resolving.outage.now.held = undefined;
  await doOutside(adapter, order, { does: 'complete', index }, sellerOf(order));
  await doOutside(adapter, order, { does: 'approve', index }, buyerOf(order));
  return doOutside(adapter, order, { does: 'release', index }, buyerOf(order));
}

const typesIn = (command: Envelope): readonly string[] =>
  resolving
    .inRun(command)
    .map(({ type }) => type)
    .filter((type) => type.startsWith('milestone.') || (type.startsWith('escrow.') && !type.endsWith('_requested')));

describe('the payout of a milestone', () => {
  it('succeeds by the word of an operator only if the milestone is paid, with the transaction that paid it', async () => {
    const order = await anOrder();
    const command = await held(order, { ref: 'part-1', decision: 'RELEASE' });
    const ofAnother = await releaseOutside(order, 0);
    expect(await resolved(command, { outcome: 'succeeded', transactionHash: ofAnother })).toMatch(
      /pays 50.00 of 30.00 USD out of the contract C\w+; a success needs the transaction that paid the milestone$/,
    );
    const fundedBy = await resolving.landedHash(order, 'fund');
    expect(await resolved(command, { outcome: 'succeeded', transactionHash: fundedBy })).toContain('pays nothing out of');
    const transactionHash = await releaseOutside(order, 1);
    expect(await resolved(command, { outcome: 'failed' })).toBe(
      'INVALID_STATE the milestone is paid out, so it can only be resolved as succeeded, with the hash of the transaction that paid',
    );
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toBe('RESOLVED');
    await eventually(() => expect(typesIn(command)).toEqual(['milestone.released', 'escrow.milestone_settled']));
  });

  it('fails by the word of an operator while the milestone is not paid, whatever others are', async () => {
    const order = await anOrder();
    const command = await held(order, { ref: 'part-1', decision: 'REFUND' });
    await releaseOutside(order, 0);
    expect(await resolved(command, { outcome: 'failed' })).toBe('RESOLVED');
    await eventually(() => expect(typesIn(command)).toEqual(['escrow.settlement_failed']));
  });

  it('that was contradicted fails, and is then published as it was paid', async () => {
    const order = await anOrder();
    await releaseOutside(order, 2);
    const command = await requestMilestone(adapter, order, { ref: 'part-2', decision: 'REFUND' });
    await adapter.waitForReply(order.orderId, 'escrow.settlement_contradicted');
    expect(await resolved(command, { outcome: 'failed' })).toBe('RESOLVED');
    await adapter.waitForReply(order.orderId, 'escrow.settlement_failed');
    await checkContracts(adapter.first.adapter.deps, 0);
    const settled = await adapter.waitForReply(order.orderId, 'escrow.milestone_settled');
    expect(settled).toMatchObject({ saga: 'release-milestone', payload: { milestoneRef: 'part-2', sellerAmount: '20.00' } });
    expect(settled.sagaRunId).toBeUndefined();
  });
});

describe('the payout of a milestone that the ledger has refused to record', () => {
  const correction = 'escrow.payout_correction_requested';

  it.each([
    { decision: 'RELEASE', given: {}, step: 'release:0', payouts: [['sellerId', '47.50']], platformFee: '2.50' },
    { decision: 'REFUND', given: {}, step: 'resolve:0', payouts: [['buyerId', '50.00']], platformFee: '0.00' },
    {
      decision: 'SPLIT',
      given: { sellerAmount: '20.00' },
      step: 'resolve:0',
      payouts: [
        ['sellerId', '19.00'],
        ['buyerId', '30.00'],
      ],
      platformFee: '1.00',
    },
  ] as const)('is corrected as the contract has paid: $decision', async ({ decision, given, step, payouts, platformFee }) => {
    const order = await anOrder();
    const command = await requestMilestone(adapter, order, { ref: 'part-0', decision, ...given });
    const settled = await adapter.waitForReply(order.orderId, 'escrow.milestone_settled');
    expect(await resolved(command, { outcome: 'failed' })).toContain('the milestone is paid out');
    const transactionHash = await resolving.landedHash(order, step);
    expect(await resolved(command, { outcome: 'succeeded', transactionHash })).toBe('RESOLVED');
    const request = await adapter.waitForReply(order.orderId, correction);
    expect(request).toMatchObject({ saga: command.saga, afterEventId: settled.afterEventId });
    const paid = payouts.map(([party, amount]) => ({ userId: order[party], amount }));
    expect(request.payload).toMatchObject({ milestoneRef: 'part-0', payoutId: settled.id, payouts: paid, platformFee });
  });
});
