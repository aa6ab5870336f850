import { requestContract } from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';

describe('a deployment that the network does not decide', () => {
  let adapter: RunningAdapter;
  let isDecided = false;

  beforeAll(async () => {
    adapter = await startAdapter({
      deadlines: { giveUpAfterMs: 500, waitMsMax: 600_000 },
      wrapRpc: (rpc) => {
        const pending = async () => ({ status: 'pending', latestLedger: await rpc.closedLedger() }) as const;
        return {
          ...rpc,
          evidenceOf: (transaction) => (isDecided ? rpc.evidenceOf(transaction) : pending()),
          evidenceOfOvertaken: (transaction) => (isDecided ? rpc.evidenceOfOvertaken(transaction) : pending()),
        };
      },
    });
  });
  afterAll(() => adapter.stop());

  it('is reported as unconfirmed once, and as created when the network has decided', async () => {
    const { orderId } = await requestContract(adapter);
    await adapter.waitForReply(orderId, 'escrow.creation_unconfirmed');
    isDecided = true;
    expect((await adapter.waitForReply(orderId, 'escrow.created', 'escrow.creation_failed')).type).toBe('escrow.created');
    const reported = adapter.published.filter(({ type }) => type === 'escrow.creation_unconfirmed');
    expect(reported.map(({ payload }) => payload)).toMatchObject([{ orderId }]);
  });
});
