import { eventually } from '@holdfast/testing/eventually';
import { isFullMatrix } from '@holdfast/testing/fault-matrix';
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

const beforeEffect = ['error-before-effect', 'malformed'] as const;
const afterEffect = ['error-after-effect', 'timeout-after-effect'] as const;
const split: SettlementChoice = { decision: 'SPLIT', sellerAmount: '80.00' };

/** Each settlement with its steps and its reply. */
const settlements = [
  { decided: { decision: 'RELEASE' }, steps: ['complete', 'approve', 'release'], ends: 'escrow.released' },
  { decided: { decision: 'REFUND' }, steps: ['dispute', 'resolve'], ends: 'escrow.refunded' },
  { decided: split, steps: ['resolve'], ends: 'escrow.released' },
] as const satisfies readonly { readonly decided: SettlementChoice; readonly steps: readonly string[]; readonly ends: string }[];
const settlementSteps = settlements.flatMap(({ decided, steps, ends }) => steps.map((step) => ({ decided, step, ends })));
const kinds = [...beforeEffect, ...afterEffect];
/** Without the full matrix each step occurs with one kind of fault, and the one that pays the seller with all of them. */
const stepsWith = (kind: string) =>
  settlementSteps.filter(({ step }, nth) => isFullMatrix || step === 'release' || kinds[nth % kinds.length] === kind);

describe('a provider that fails', () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter({ deadlines: { giveUpAfterMs: 300, waitMsMax: 600_000 } });
  });
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

    it.each(stepsWith(kind))('fails a $decided.decision at $step, and a new request succeeds', async (given) => {
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

    it.each(stepsWith(kind))('does not fail a $decided.decision at $step', async ({ decided, step, ends }) => {
      const order = await aFundedContract(adapter);
      await adapter.fault(step, kind);
      await requestSettlement(adapter, order, decided);
      expect(await settled(order)).toBe(ends);
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    });
  });

  it('with a rate limit fails nothing: the intents wait', async () => {
    const faults = ['deploy', 'fund', 'complete', 'approve', 'release'];
    for (const step of faults) await adapter.fault(step, 'rate-limited', { times: 2 });
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect(await settled(order)).toBe('escrow.released');
    const attempts = `select distinct attempts from escrow_adapter.intents where subject = $1`;
    expect(await adapter.database.asAdmin(attempts, [order.escrowId])).toEqual([{ attempts: 0 }]);
  });

  it('with latency fails nothing', async () => {
    await adapter.fault('deploy', 'latency', { latencyMs: 300 });
    await adapter.fault('fund', 'latency', { latencyMs: 300 });
    await adapter.fault('release', 'latency', { latencyMs: 300 });
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect(await settled(order)).toBe('escrow.released');
  });

  it('that returns no contract id changes nothing: it follows from the signed deployment', async () => {
    await adapter.fault('deploy', 'no-contract-id');
    const order = await requestContract(adapter);
    await adapter.waitForReply(order.orderId, 'escrow.created');
    expect(publishedAbout(order)).toEqual(['escrow.created']);
    expect(await contractsOf(adapter, order.orderId)).toHaveLength(1);
  });

  it('with a network that cannot be read fails a settlement before any payout', async () => {
    const order = await aFundedContract(adapter);
    await adapter.fault('read', 'error-before-effect', { target: 'ledger-network' });
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
