import { Keypair } from '@stellar/stellar-sdk';
import { eventually } from '@holdfast/testing/eventually';
import { textOf, type Order } from '../faults/order-life.js';
import { runProgram } from '../testing/program.js';
import { expectAudit, expectEvents, expectFunded, expectReleased } from './both-interfaces.js';
import {
  aPerson,
  aProject,
  balanceOf,
  depositUsdc,
  newestOrderOf,
  ordersOf,
  pay,
  payAndHangUp,
  projectOf,
  release,
  topUp,
  transactionsOf,
  type AccountPlatform,
  type Person,
} from './person.js';

/** The stories of the account API on a running platform. Returns the orders that they have made so far, all of them closed. */
export function describeAccountApi(platform: () => AccountPlatform): () => readonly Order[] {
  const orders: Order[] = [];

  describe('the account API', () => {
    it('leads from registration to release, and the platform API, the stream and the audit trail show the same', async () => {
      orders.push(...(await playRelease(platform())));
    });

    it('opens a project again when the marketplace refunds its order, and it can be paid for again', async () => {
      orders.push(...(await playRefund(platform())));
    });

    it('funds an escrow once when the client hangs up, and the same request finds it', async () => {
      orders.push(...(await playHangUp(platform())));
    });

    it('leaves the books in agreement', async () => {
      await expectBooksAgree(platform());
    });
  });

  return () => orders;
}

async function playRelease(platform: AccountPlatform): Promise<readonly Order[]> {
  const [buyer, seller] = [await aPerson(platform, 'ada'), await aPerson(platform, 'grace')];
  const walletKey = await connectWallet(buyer);
  await topUp(platform, buyer, '150.00');
  const project_id = await aProject(buyer);
  const funded = await pay(buyer, { project_id, seller_id: seller.id, amount: 100, currency: 'USD' });
  const order = await newestOrderOf(platform, buyer);
  const story = { platform, buyer, seller, project_id, walletKey, order };
  await expectFunded(story, funded);
  expect(await release(buyer, funded)).toMatchObject({ status: 200, data: { status: 'released', released_amount: 100 } });
  await expectReleased(story);
  await expectEvents(story);
  await expectAudit(story);
  return [order];
}

async function playRefund(platform: AccountPlatform): Promise<readonly Order[]> {
  const [buyer, seller] = [await aPerson(platform, 'ada'), await aPerson(platform, 'grace')];
  await depositUsdc(platform, buyer, 100);
  const project_id = await aProject(buyer);
  const payment = { project_id, seller_id: seller.id, amount: 100, currency: 'USDC' };
  const first = await pay(buyer, payment);
  const firstOrder = await newestOrderOf(platform, buyer);
  const refunded = await platform.api.post(`/orders/${firstOrder.id}/resolution/refund`, { reason: 'It broke.' });
  expect([refunded.status, refunded.data]).toMatchObject([200, { status: 'CLOSED', closeReason: 'REFUNDED' }]);
  expect(await projectOf(buyer, project_id)).toMatchObject({ status: 'open' });
  expect(await balanceOf(buyer, 'USDC')).toMatchObject({ available: 100, held: 0 });

  const second = await pay(buyer, payment);
  expect(second).toMatchObject({ status: 200, data: { status: 'funded' } });
  expect(second.data['escrow_id']).not.toBe(first.data['escrow_id']);
  expect((await release(buyer, second)).status).toBe(200);
  expect(await projectOf(buyer, project_id)).toMatchObject({ status: 'completed' });
  expect([await balanceOf(buyer, 'USDC'), await balanceOf(seller, 'USDC')]).toMatchObject([{ available: 0 }, { available: 95 }]);
  expect(await transactionsOf(buyer)).toMatchObject([
    { type: 'credit', amount: 100, currency: 'USDC' },
    { type: 'debit', amount: 100, currency: 'USDC' },
    { type: 'credit', amount: 100, currency: 'USDC' },
    { type: 'debit', amount: 100, currency: 'USDC' },
  ]);
  return [firstOrder, await newestOrderOf(platform, buyer)];
}

async function playHangUp(platform: AccountPlatform): Promise<readonly Order[]> {
  const [buyer, seller] = [await aPerson(platform, 'ada'), await aPerson(platform, 'grace')];
  await platform.api.post(`/users/${buyer.id}/balance/credit`, { amount: '150.00' });
  const payment = { project_id: await aProject(buyer), seller_id: seller.id, amount: 100, currency: 'USD' };
  await payAndHangUp(platform, buyer, payment);
  const found = await pay(buyer, payment);
  expect(found).toMatchObject({ status: 200, data: { status: 'funded', amount: 100 } });
  expect(await balanceOf(buyer)).toEqual({ currency: 'USD', available: 50, held: 0 });
  expect((await release(buyer, found)).status).toBe(200);
  const orders = await ordersOf(platform, buyer);
  expect(orders).toHaveLength(1);
  return orders;
}

async function connectWallet({ client }: Person): Promise<string> {
  const public_key = Keypair.random().publicKey();
  const connected = await client.post('/wallets/connect', { public_key });
  expect(connected).toMatchObject({ status: 200, data: { public_key } });
  expect((await client.post('/wallets/connect', { public_key })).data).toEqual(connected.data);
  return public_key;
}

/** The journal learns of the last payouts a moment later. */
const booked = { timeoutMs: 60_000 };

async function expectBooksAgree({ api, settings }: AccountPlatform): Promise<void> {
  await eventually(async () => {
    const { reports } = (await api.post('/reconciliation/reports')).data;
    const found = Array.isArray(reports) ? (reports as readonly unknown[]) : [];
    expect(found.map((report) => [textOf(report, 'currency'), textOf(report, 'difference')])).toEqual([
      ['USD', '0.00'],
      ['USDC', '0.00'],
      ['XLM', '0.00'],
    ]);
  }, booked);
  const verified = await runProgram('verifyLedger', settings);
  expect(verified).toMatchObject({ code: 0, output: expect.stringContaining('Sound: every rule of the books holds.') });
}
