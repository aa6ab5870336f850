import { aFundedContract, requestSettlement, settlementReplies, type SettlementChoice } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

const decisions: readonly SettlementChoice[] = [
  { decision: 'RELEASE' },
  { decision: 'REFUND' },
  { decision: 'SPLIT', sellerAmount: '33.33' },
];

describe("a contract of the version v1-mainnet, whose code contains the address of the provider's fee,", () => {
  let adapter: RunningAdapter;
  beforeAll(async () => {
    adapter = await startAdapter({ contractVersion: 'v1-mainnet' });
  });
  afterAll(() => adapter.stop());

  it.each(decisions.flatMap((decided) => [['100.00'], ['40.00', '60.00']].map((parts) => ({ ...decided, parts }))))(
    'with the parts $parts is funded and pays out: $decision',
    async ({ parts, ...decided }) => {
      const order = await aFundedContract(adapter, { parts });
      await requestSettlement(adapter, order, decided);
      const reply = await adapter.waitForReply(order.orderId, ...settlementReplies);
      expect(reply.type).toBe(decided.decision === 'REFUND' ? 'escrow.refunded' : 'escrow.released');
      expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
    },
  );
});
