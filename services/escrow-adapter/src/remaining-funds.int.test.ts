import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { aFundedContract, requestMilestone, type TestOrder } from './testing/orders.js';
import { providerOutage } from './testing/provider-outage.js';
import { system } from './testing/resolving.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf, contractsOf } from './testing/sandbox-state.js';
import { aStranger, type Stranger } from './testing/stranger.js';

const outage = providerOutage();
let adapter: RunningAdapter;
let stranger: Stranger;
beforeAll(async () => {
  adapter = await startAdapter({ wrapProvider: outage.wrapProvider, wrapRpc: outage.wrapRpc });
  stranger = await aStranger(adapter.sandbox);
});
afterAll(() => adapter.stop());

const anOrder = (): Promise<TestOrder> => aFundedContract(adapter, { parts: ['60.00', '40.00'], releaseMode: 'milestone' });

async function pay(order: TestOrder, ref: string, decision: 'RELEASE' | 'REFUND' = 'RELEASE'): Promise<void> {
  const { sagaRunId } = await requestMilestone(adapter, order, { ref, decision });
  const isEnd = (message: Envelope): boolean => message.sagaRunId === sagaRunId && message.type === 'escrow.milestone_settled';
  await eventually(() => expect(adapter.published.some(isEnd)).toBe(true));
}

/** Both milestones are paid out, and a stranger has paid 5.00 into the contract. */
async function aContractWithRest(): Promise<TestOrder> {
  const order = await anOrder();
  await pay(order, 'part-0');
  await pay(order, 'part-1', 'REFUND');
  await payIn(order);
  return order;
}

async function payIn({ orderId }: TestOrder): Promise<void> {
  const [contract] = await contractsOf(adapter, orderId);
  await stranger.transferByContract(String(contract?.contractId), 50_000_000n);
}

const request = (orderId: string, body: object = { by: 'Ada', reason: 'ticket 7' }) =>
  adapter.post(`/internal/orders/${orderId}/contract/withdraw-remaining-funds`, body, system);

const balanceIn = async ({ orderId }: TestOrder): Promise<unknown> => (await contractsOf(adapter, orderId))[0]?.balance;

const auditsOf = ({ orderId }: TestOrder, action: string): readonly unknown[] =>
  adapter.published
    .filter(({ type }) => type === 'audit.recorded')
    .map(({ payload }) => payload as Readonly<Record<string, unknown>>)
    .filter((entry) => entry['resourceId'] === orderId && entry['action'] === action);

const ended = (order: TestOrder): Promise<unknown> =>
  eventually(() => {
    const [entry] = auditsOf(order, 'REMAINING_FUNDS_WITHDRAWN');
    expect(entry).toBeDefined();
    return entry;
  });

async function platformBalance(order: TestOrder): Promise<number> {
  const { addresses } = (await adapter.first.adapter.deps.contracts.find(order.escrowId)) ?? {};
  return balanceOf(adapter, addresses?.platform ?? '');
}

describe('what a stranger has paid into a contract', () => {
  it('goes to the account of the platform, less the fee of the provider, and is audited', async () => {
    const order = await aContractWithRest();
    expect(await balanceIn(order)).toBe(5);
    const before = await platformBalance(order);
    const { status, data } = await request(order.orderId);
    expect([status, data]).toMatchObject([200, { status: 'REQUESTED', amount: '5.00', asset: 'USDC' }]);
    expect(await ended(order)).toMatchObject({
      actorType: 'operator',
      actorId: 'Ada',
      result: 'SUCCESS',
      reason: 'ticket 7',
      after: { transactionHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
    expect(await balanceIn(order)).toBe(0);
    // 0.3 per cent of 5.00 go to the provider; the fee of the platform returns to it.
    expect((await platformBalance(order)) - before).toBeCloseTo(4.985, 7);
    expect(auditsOf(order, 'REMAINING_FUNDS_REQUESTED')).toMatchObject([
      { actorId: 'Ada', reason: 'ticket 7', after: { amount: '5.00' } },
    ]);
    expect((await request(order.orderId)).data).toMatchObject({ status: 'NOTHING_LEFT', amount: '0.00' });
    expect(auditsOf(order, 'REMAINING_FUNDS_REQUESTED')).toHaveLength(1);
  });

  it('is requested once, also by two operators at the same moment', async () => {
    const order = await aContractWithRest();
    outage.now.held = ({ does }) => does === 'withdrawRemaining';
    const both = await Promise.all([request(order.orderId), request(order.orderId, { by: 'Grace', reason: 'ticket 8' })]);
    expect(both.map(({ data }) => (data as { readonly status: string }).status).toSorted()).toEqual(['REQUESTED', 'UNDER_WAY']);
    outage.end();
    await ended(order);
    expect(await balanceIn(order)).toBe(0);
    expect(auditsOf(order, 'REMAINING_FUNDS_WITHDRAWN')).toHaveLength(1);
  });

  it('leaves once although the response of the network is lost', async () => {
    const order = await aContractWithRest();
    const before = await platformBalance(order);
    await adapter.fault('submit', 'timeout-after-effect', { target: 'ledger-network', times: 1 });
    await request(order.orderId);
    expect(await ended(order)).toMatchObject({ result: 'SUCCESS' });
    await adapter.clearFaults();
    expect((await platformBalance(order)) - before).toBeCloseTo(4.985, 7);
  });

  it('stays where it is if the provider builds another transaction, and the operator can request it again', async () => {
    const order = await aContractWithRest();
    await adapter.fault('resolve', 'wrong-receiver');
    await request(order.orderId);
    expect(await ended(order)).toMatchObject({ result: 'FAILURE', reason: expect.stringContaining('it was not signed') });
    expect(await balanceIn(order)).toBe(5);
    await adapter.clearFaults();
    expect((await request(order.orderId)).data).toMatchObject({ status: 'REQUESTED' });
    await eventually(async () => expect(await balanceIn(order)).toBe(0));
  });

  it.each<readonly [string, () => Promise<string>, number, string]>([
    ['404 ORDER_NOT_FOUND for an order without a contract', () => Promise.resolve(adapter.newId('ord')), 404, 'ORDER_NOT_FOUND'],
    [
      '409 INVALID_STATE while a milestone is not paid out',
      async () => {
        const order = await anOrder();
        await pay(order, 'part-0');
        await payIn(order);
        return order.orderId;
      },
      409,
      'INVALID_STATE',
    ],
    [
      '409 INVALID_STATE for a contract without milestones',
      async () => (await aFundedContract(adapter, {})).orderId,
      409,
      'INVALID_STATE',
    ],
  ])('%s', async (_what, order, status, code) => {
    const response = await request(await order());
    expect([response.status, response.code]).toEqual([status, code]);
  });

  it('400 VALIDATION_ERROR without a name and a reason', async () => {
    const { status } = await request(adapter.newId('ord'), { by: ' ', reason: '' });
    expect(status).toBe(400);
  });
});
