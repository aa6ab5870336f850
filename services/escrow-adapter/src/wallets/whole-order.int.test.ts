import { idFactory } from '@holdfast/kernel/ids';
import { systemClock } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  aFundedContract,
  requestSettlement,
  settlementReplies,
  type SettlementChoice,
  type TestOrder,
} from '../testing/orders.js';
import type { RunningAdapter } from '../testing/running-adapter.js';
import { custodyOf, landedIn } from './testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from './testing/running-wallets.js';

let testbed: WalletTestbed;
let adapter: RunningAdapter;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  await testbed.startAdapterService();
  const waitForReply = (orderId: string, ...types: readonly string[]): Promise<Envelope> =>
    eventually(() => {
      const found = testbed.published.find(
        ({ type, payload }) => types.includes(type) && (payload as { readonly orderId?: string }).orderId === orderId,
      );
      if (found === undefined) throw new Error(`none of ${types.join()} so far`);
      return found;
    });
  // The part of a running adapter that the order builders use.
  const newId = idFactory(systemClock().epochMs);
  adapter = { newId, publish: testbed.publish, waitForReply } as unknown as RunningAdapter;
}, serverStartTimeoutMs);

afterAll(async () => {
  await testbed.end();
});

async function settled(order: TestOrder, decided: SettlementChoice): Promise<string> {
  await requestSettlement(adapter, order, decided);
  return (await adapter.waitForReply(order.orderId, ...settlementReplies)).type;
}

function legsOf(place: string, ownerId: string): readonly string[] {
  return landedIn(testbed.published).flatMap(({ legs }) =>
    legs.filter((leg) => leg.place === place && leg.ownerId === ownerId).map(({ asset, amount }) => `${amount} ${asset}`),
  );
}

async function expectCustodyToAgree(): Promise<void> {
  await eventually(async () => {
    expect((await custodyOf(testbed)).wrong).toEqual([]);
  });
}

describe('the custody legs of an order', () => {
  it('equal the balances on the network after a release', async () => {
    const order = await aFundedContract(adapter, { parts: ['100.00'] });
    expect(await settled(order, { decision: 'RELEASE' })).toBe('escrow.released');
    await expectCustodyToAgree();
    expect(legsOf('contract', order.orderId)).toEqual(['100.00 USDC', '-100.00 USDC']);
    expect(legsOf('wallet', order.sellerId)).toContain('94.70 USDC');
  });

  it('equal them after a refund, a split and several milestones, and payouts are swept to the treasury', async () => {
    const [refund, split, parts] = await Promise.all([
      aFundedContract(adapter, { parts: ['33.33'] }),
      aFundedContract(adapter, { parts: ['10.01'] }),
      aFundedContract(adapter, { parts: ['20.00', '30.00'] }),
    ]);
    expect(await settled(refund, { decision: 'REFUND' })).toBe('escrow.refunded');
    expect(await settled(split, { decision: 'SPLIT', sellerAmount: '3.33' })).toBe('escrow.released');
    expect(await settled(parts, { decision: 'RELEASE' })).toBe('escrow.released');
    await eventually(() => {
      for (const userId of [refund.buyerId, split.sellerId, split.buyerId, parts.sellerId])
        expect(legsOf('wallet', userId).some((leg) => leg.startsWith('-') && leg.endsWith('USDC'))).toBe(true);
    });
    await expectCustodyToAgree();
    expect(testbed.published.filter(({ type }) => type === 'balance.deposit_received')).toEqual([]);
  });
});
