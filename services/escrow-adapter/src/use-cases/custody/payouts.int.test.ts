import { withdrawalLedgerPayoutRequested } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { payoutReplies } from '../../testing/payouts.js';
import { custodyOf, landedIn } from '../../testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from '../../testing/running-wallets.js';
import { aStranger } from '../../testing/stranger.js';

// A payment that was overtaken by another one of its account is sent again once its time bounds have passed, after 30 s.
jest.setTimeout(240_000);

const newId = idFactory(systemClock().epochMs);
let testbed: WalletTestbed;

beforeAll(async () => {
  testbed = await aWalletTestbed();
}, serverStartTimeoutMs);
afterAll(() => testbed.end());

async function paidOut(given: {
  readonly userId: `usr_${string}`;
  readonly address: string;
  readonly currency: 'USD' | 'USDC' | 'XLM';
  readonly amount: string;
}): Promise<string> {
  const withdrawalId = newId('wd');
  await testbed.publish(withdrawalLedgerPayoutRequested, withdrawalId, { withdrawalId, ...given });
  return eventually(
    () => {
      const reply = testbed.published.find(
        ({ type, aggregateId }) => aggregateId === withdrawalId && payoutReplies.some((known) => known === type),
      );
      if (reply === undefined) throw new Error('no reply so far');
      return reply.type;
    },
    { timeoutMs: 90_000 },
  );
}

const legs = (place: string): readonly string[] =>
  landedIn(testbed.published).flatMap((transaction) =>
    transaction.legs.filter((leg) => leg.place === place).map(({ amount, asset }) => `${amount} ${asset}`),
  );

describe('payouts of the whole service', () => {
  it('are booked from treasury or wallet to the world, and custody equals the network', async () => {
    await testbed.startAdapterService();
    const wallets = await testbed.start();
    const userId = testbed.newUserId();
    const { address } = await aStranger(testbed.sandbox);
    await wallets.publishUserCreated(userId);
    const { data } = await wallets.get(`/users/${userId}/wallet/deposit`);
    testbed.setOwned(userId, '50.00');
    await testbed.pay(String(data.address), 'USDC', '50');
    await eventually(() => expect(testbed.published.map(({ type }) => type)).toContain('balance.deposit_received'));
    // It ignores the commands of payouts, and would take some of them from the queue that both processes share.
    await wallets.stop();
    const payOut = (currency: 'USD' | 'USDC' | 'XLM', amount: string) => paidOut({ userId, address, currency, amount });
    expect(await payOut('USDC', '30.00')).toBe('withdrawal.ledger_payout_landed');
    expect(await payOut('USD', '40.00')).toBe('withdrawal.ledger_payout_landed');
    expect(await payOut('XLM', '2.50')).toBe('withdrawal.ledger_payout_landed');
    await eventually(async () => {
      expect(legs('world')).toEqual(expect.arrayContaining(['30.00 USDC', '40.00 USDC', '2.50 XLM']));
      expect(legs('wallet')).toContain('-30.00 USDC');
      expect((await custodyOf(testbed)).wrong).toEqual([]);
    });
    expect(testbed.published.filter(({ type }) => type === 'balance.deposit_received')).toHaveLength(1);
  });
});
