import { aFundedContract, requestSettlement, settlementReplies } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { contractsOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;
const archivedAfterRead = new Set<string>();

async function archive(contractId: string): Promise<void> {
  const response = await fetch(`${adapter.sandbox.controlUrl}/contracts/${contractId}/archive`, { method: 'POST' });
  expect(response.status).toBe(200);
}

beforeAll(async () => {
  adapter = await startAdapter({
    wrapRpc: (rpc) => ({
      ...rpc,
      contractEntries: async (contracts, ...accounts) => {
        const read = await rpc.contractEntries(contracts, ...accounts);
        for (const { contractId } of contracts) if (archivedAfterRead.delete(contractId)) await archive(contractId);
        return read;
      },
    }),
  });
});
afterAll(() => adapter.stop());

describe('a contract that is archived after it was read', () => {
  it.each([
    { parts: ['100.00'], decision: 'RELEASE', type: 'escrow.released' },
    { parts: ['60.00', '40.00'], decision: 'RELEASE', type: 'escrow.released' },
    { parts: ['100.00'], decision: 'REFUND', type: 'escrow.refunded' },
  ] as const)('of $parts is restored by the calls that the provider builds: $decision', async ({ parts, decision, type }) => {
    const order = await aFundedContract(adapter, { parts });
    const [contract] = await contractsOf(adapter, order.orderId);
    archivedAfterRead.add(contract?.contractId ?? '');

    await requestSettlement(adapter, order, { decision });

    expect(await adapter.waitForReply(order.orderId, ...settlementReplies)).toMatchObject({ type });
    expect(archivedAfterRead.size).toBe(0);
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });
});
