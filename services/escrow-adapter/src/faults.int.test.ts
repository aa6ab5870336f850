import { eventually } from '@holdfast/testing/eventually';
import {
  aCreatedContract,
  aFundedContract,
  requestContract,
  requestFunding,
  requestSettlement,
  settlementReplies,
  type SettlementChoice,
  type TestOrder,
} from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

const beforeEffect = ['error-before-effect', 'rate-limited', 'malformed'] as const;
const afterEffect = ['error-after-effect', 'timeout-after-effect'] as const;
const split: SettlementChoice = { decision: 'SPLIT', sellerAmount: '80.00' };

/** Each settlement with its steps and its reply. */
const settlements = [
  { decided: { decision: 'RELEASE' }, steps: ['complete', 'approve', 'release'], ends: 'escrow.released' },
  { decided: { decision: 'REFUND' }, steps: ['dispute', 'resolve'], ends: 'escrow.refunded' },
  { decided: split, steps: ['resolve'], ends: 'escrow.released' },
] as const satisfies readonly { readonly decided: SettlementChoice; readonly steps: readonly string[]; readonly ends: string }[];
const settlementSteps = settlements.flatMap(({ decided, steps, ends }) => steps.map((step) => ({ decided, step, ends })));

describe('a provider that fails', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter();
  }, 120_000);
  afterEach(() => adapter.clearFaults());
  afterAll(() => adapter.stop());

  const deployed = async (order: TestOrder): Promise<string> =>
    (await adapter.waitForReply(order.orderId, 'escrow.created', 'escrow.creation_failed')).type;
  const funded = async (order: TestOrder): Promise<string> =>
    (await adapter.waitForReply(order.orderId, 'escrow.funded', 'escrow.funding_failed')).type;
  const settled = async (order: TestOrder): Promise<string> =>
    (await adapter.waitForReply(order.orderId, ...settlementReplies)).type;
  /** Types of the messages published about the order, in order. */
  const publishedAbout = ({ orderId }: TestOrder): readonly string[] =>
    adapter.published.filter(({ payload }) => Object.values(payload as object).includes(orderId)).map(({ type }) => type);

  describe.each(beforeEffect)('before the effect (%s)', (kind) => {
    it('fails a deployment without creating a contract', async () => {
      await adapter.fault('deploy', kind);
      const order = await requestContract(adapter);
      expect(await deployed(order)).toBe('escrow.creation_failed');
      expect(await contractsOf(adapter, order.orderId)).toEqual([]);
    });

    it('is retried if it is transient', async () => {
      await adapter.fault('deploy', kind, { times: 2 });
      expect(await deployed(await requestContract(adapter))).toBe('escrow.created');
    });

    it('fails a funding, and a new request succeeds', async () => {
      const order = await aCreatedContract(adapter);
      await adapter.fault('fund', kind);
      await requestFunding(adapter, order);
      expect(await funded(order)).toBe('escrow.funding_failed');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
      await adapter.clearFaults();
      await requestFunding(adapter, order);
      await adapter.waitForReply(order.orderId, 'escrow.funded');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
    });

    it.each(settlementSteps)('fails a $decided.decision at $step, and a new request succeeds', async (given) => {
      const order = await aFundedContract(adapter);
      await adapter.fault(given.step, kind);
      await requestSettlement(adapter, order, given.decided);
      expect(await settled(order)).toBe('escrow.settlement_failed');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
      await adapter.clearFaults();
      await requestSettlement(adapter, order, given.decided);
      await adapter.waitForReply(order.orderId, given.ends);
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    });
  });

  describe.each(afterEffect)('after the effect (%s)', (kind) => {
    it('does not fail a deployment', async () => {
      await adapter.fault('deploy', kind);
      const order = await requestContract(adapter);
      expect(await deployed(order)).toBe('escrow.created');
      expect(await contractsOf(adapter, order.orderId)).toHaveLength(1);
    });

    it('does not fail a funding, and funds once', async () => {
      const order = await aCreatedContract(adapter);
      await adapter.fault('fund', kind);
      await requestFunding(adapter, order);
      expect(await funded(order)).toBe('escrow.funded');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
    });

    it.each(settlementSteps)('does not fail a $decided.decision at $step', async ({ decided, step, ends }) => {
      const order = await aFundedContract(adapter);
      await adapter.fault(step, kind);
      await requestSettlement(adapter, order, decided);
      expect(await settled(order)).toBe(ends);
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    });
  });

  it('with latency fails nothing', async () => {
    await adapter.fault('deploy', 'latency', { latencyMs: 300 });
    await adapter.fault('fund', 'latency', { latencyMs: 300 });
    await adapter.fault('release', 'latency', { latencyMs: 300 });
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect(await settled(order)).toBe('escrow.released');
  });

  it('that returns no contract id leaves the creation unconfirmed until the contract is looked up', async () => {
    await adapter.fault('deploy', 'no-contract-id');
    const order = await requestContract(adapter);
    await adapter.waitForReply(order.orderId, 'escrow.created');
    expect(publishedAbout(order)).toEqual(['escrow.creation_unconfirmed', 'escrow.created']);
    expect(await contractsOf(adapter, order.orderId)).toHaveLength(1);
  });

  it('that cannot be read fails a settlement before any payout', async () => {
    const order = await aFundedContract(adapter);
    await adapter.fault('read', 'error-before-effect');
    await requestSettlement(adapter, order, { decision: 'REFUND' });
    const failed = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect([failed.type, failed.payload]).toMatchObject(['escrow.settlement_failed', { isDisputed: false }]);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
  });

  it('that fails a refund after its dispute step allows a later release by a resolution', async () => {
    const order = await aFundedContract(adapter);
    await adapter.fault('resolve', 'error-before-effect');
    await requestSettlement(adapter, order, { decision: 'REFUND' });
    const failed = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect([failed.type, failed.payload]).toMatchObject(['escrow.settlement_failed', { isDisputed: true }]);
    await adapter.clearFaults();
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await adapter.waitForReply(order.orderId, 'escrow.released');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0, flags: { resolved: true, released: false } }]);
  });

  it('leaves no open transaction and no open intent', async () => {
    await eventually(async () => {
      expect(await adapter.database.asAdmin(`select hash from escrow_adapter.ledger_transactions where state = 'OPEN'`)).toEqual(
        [],
      );
      expect(await adapter.database.asAdmin('select id from escrow_adapter.intents where closed_at is null')).toEqual([]);
    });
  });
});
