import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import {
  aFundedContract,
  requestMilestone,
  requestSettlement,
  settlementReplies,
  type SettlementChoice,
  type TestOrder,
} from '../../testing/orders.js';
import type { RunningAdapter } from '../../testing/running-adapter.js';
import { unitsOfText } from '@holdfast/ledger-network/values';
import { adapterOf } from '../../testing/adapter-of.js';
import { custodyOf, landedIn } from '../../testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from '../../testing/running-wallets.js';

let testbed: WalletTestbed;
let adapter: RunningAdapter;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  await testbed.startAdapterService();
  adapter = adapterOf(testbed);
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

function publishedFeeUnits(): bigint {
  const fees = landedIn(testbed.published).flatMap(({ legs }) => legs.filter(({ place }) => place === 'network_fees'));
  return fees.reduce((sum, { amount }) => sum + unitsOfText(amount), 0n);
}

type Page = { readonly _embedded: { readonly records: readonly PagedOperation[] } };
type PagedOperation = {
  readonly transaction_hash: string;
  readonly transaction: { readonly fee_account: string; readonly fee_charged: string };
};

/** What the network has charged the treasury's main account, which is the first of the platform's. */
async function chargedFeeUnits(): Promise<bigint> {
  const [treasury] = testbed.platformAddresses().keys();
  const query = 'limit=200&order=asc&include_failed=true&join=transactions';
  const response = await fetch(`${testbed.sandbox.horizonUrl}/operations?${query}`);
  const { _embedded } = (await response.json()) as Page;
  const charged = new Map(_embedded.records.map(({ transaction_hash: hash, transaction }) => [hash, transaction]));
  const own = [...charged.values()].filter(({ fee_account: account }) => account === treasury);
  return own.reduce((sum, { fee_charged: fee }) => sum + BigInt(fee), 0n);
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

  it('equal them after each payout of a contract that is paid milestone by milestone, which holds what is not settled', async () => {
    const order = await aFundedContract(adapter, { parts: ['10.01', '3.33', '0.07'], releaseMode: 'milestone' });
    const paid = [
      { choice: { ref: 'part-1', decision: 'REFUND' }, leg: '-3.33 USDC' },
      { choice: { ref: 'part-0', decision: 'SPLIT', sellerAmount: '6.67' }, leg: '-10.01 USDC' },
      { choice: { ref: 'part-2', decision: 'RELEASE' }, leg: '-0.07 USDC' },
    ] as const;
    for (const [count, { choice, leg }] of paid.entries()) {
      await requestMilestone(adapter, order, choice);
      await eventually(() => expect(legsOf('contract', order.orderId)).toHaveLength(count + 2));
      expect(legsOf('contract', order.orderId).at(-1)).toBe(leg);
      await expectCustodyToAgree();
    }
    await adapter.waitForReply(order.orderId, 'escrow.released');
  });

  it('name the treasury as the payer of every fee, to the last unit', async () => {
    const order = await aFundedContract(adapter, { parts: ['7.00'] });
    expect(await settled(order, { decision: 'RELEASE' })).toBe('escrow.released');
    await eventually(async () => {
      expect(publishedFeeUnits()).toBe(await chargedFeeUnits());
      expect((await custodyOf(testbed)).wrong).toEqual([]);
    });
    expect(publishedFeeUnits()).toBeGreaterThan(0n);
    const ofWallet = legsOf('wallet', order.buyerId).filter((leg) => leg.startsWith('-'));
    expect(ofWallet.filter((leg) => leg.endsWith('XLM'))).toEqual([]);
  });
});
