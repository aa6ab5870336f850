import { withdrawalLedgerPayoutRequested, type Envelope } from '@holdfast/contracts/messages';
import { systemClock } from '@holdfast/kernel/context';
import { idFactory } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { aCreatedContract, requestFunding } from '../../testing/orders.js';
import { payoutReplies } from '../../testing/payouts.js';
import type { RunningAdapter } from '../../testing/running-adapter.js';
import { custodyOf } from '../../testing/custody.js';
import { aWalletTestbed, type WalletTestbed } from '../../testing/running-wallets.js';
import { aStranger } from '../../testing/stranger.js';

jest.setTimeout(180_000);

const newId = idFactory(systemClock().epochMs);
const patience = { timeoutMs: 60_000 };
let testbed: WalletTestbed;
let adapter: RunningAdapter;

beforeAll(async () => {
  testbed = await aWalletTestbed();
  await Promise.all([testbed.startAdapterService(), testbed.startAdapterService()]);
  // The part of a running adapter that the order builders use.
  adapter = { newId, publish: testbed.publish, waitForReply } as unknown as RunningAdapter;
}, serverStartTimeoutMs);
afterAll(() => testbed.end());

function waitForReply(id: string, ...types: readonly string[]): Promise<Envelope> {
  return eventually(() => {
    const isReply = ({ type, payload }: Envelope): boolean =>
      types.includes(type) && Object.values(payload as object).includes(id);
    const found = testbed.published.find(isReply);
    if (found === undefined) throw new Error(`none of ${types.join()} so far`);
    return found;
  }, patience);
}

async function funded(amount: string): Promise<Envelope> {
  const order = await aCreatedContract(adapter, { parts: [amount] });
  await requestFunding(adapter, order);
  return waitForReply(order.orderId, 'escrow.funded', 'escrow.funding_failed');
}

async function paidOut(amount: string): Promise<Envelope> {
  const withdrawalId = newId('wd');
  const request = {
    withdrawalId,
    userId: testbed.newUserId(),
    address: (await aStranger(testbed.sandbox)).address,
    currency: 'USDC',
    amount,
  } as const;
  await testbed.publish(withdrawalLedgerPayoutRequested, withdrawalId, request);
  return waitForReply(withdrawalId, ...payoutReplies);
}

async function heldByTreasury(): Promise<bigint> {
  const addresses = [...testbed.platformAddresses()].flatMap(([address, place]) => (place === 'treasury' ? [address] : []));
  const accounts = await Promise.all(addresses.map(testbed.network.account));
  return accounts.reduce((sum, account) => sum + (account?.balances.USDC ?? 0n), 0n) / 10_000_000n;
}

/** The faucet has given 100 million. The treasury and two channels hold a third each. */
describe('a payment that no channel of the treasury holds', () => {
  it('is collected in one channel, also for several at once in two replicas', async () => {
    const replies = await Promise.all([funded('35000000.00'), funded('35000000.00')]);
    expect(replies.map(({ type }) => type)).toEqual(['escrow.funded', 'escrow.funded']);
    expect(await heldByTreasury()).toBe(30_000_000n);
  });

  it('of a withdrawal is collected in the same way', async () => {
    expect((await paidOut('18000000.00')).type).toBe('withdrawal.ledger_payout_landed');
  });

  it('may be as large as the whole treasury', async () => {
    expect(await heldByTreasury()).toBe(12_000_000n);
    expect((await funded('12000000.00')).type).toBe('escrow.funded');
  });

  it('of more than the treasury has fails with the reason', async () => {
    const reply = await funded('150000000.00');
    expect(reply).toMatchObject({ type: 'escrow.funding_failed', payload: { reason: 'the treasury does not hold enough' } });
  });

  it('was moved between our own accounts without a failed transaction, and custody equals the network', async () => {
    // One that was built while the other replica submitted has a sequence that is used already: it is DEAD, it never landed.
    const failed = await testbed.database.asAdmin(
      `select hash, state from escrow_adapter.ledger_transactions where step = 'treasury' and state not in ('LANDED', 'OPEN', 'DEAD')`,
    );
    expect(failed).toEqual([]);
    await eventually(async () => {
      expect((await custodyOf(testbed)).wrong).toEqual([]);
    }, patience);
    expect(testbed.published.filter(({ type }) => type === 'balance.deposit_received')).toEqual([]);
  });
});
