import type { Envelope } from '@holdfast/contracts/messages';
import { createLeases } from '@holdfast/intents/leases';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { migrationFoldersOf } from '@holdfast/service-kit';
import { eventually } from '@holdfast/testing/eventually';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { escrowAdapter } from './service.js';
import { requestContract, requestFunding, requestSettlement, settlementReplies, type TestOrder } from './testing/orders.js';
import { payoutReplies, requestPayout } from './testing/payouts.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf } from './testing/sandbox-state.js';

let adapter: RunningAdapter;

beforeAll(async () => {
  adapter = await startAdapter();
  await adapter.another();
}, serverStartTimeoutMs);

afterAll(async () => {
  await adapter.stop();
});

const ordersPerBuyer = 8;

type WholeOrder = { readonly escrowId: string; readonly replies: readonly string[] };

async function wholeOrder(buyerId: UserId, sellerId: UserId): Promise<WholeOrder> {
  const order = await requestContract(adapter, { buyerId, sellerId, parts: ['1.00'] });
  const created = await replyTo(order, 'escrow.created', 'escrow.creation_failed');
  await requestFunding(adapter, order);
  const funded = await replyTo(order, 'escrow.funded', 'escrow.funding_failed');
  await requestSettlement(adapter, order, { decision: 'RELEASE' });
  return { escrowId: order.escrowId, replies: [created, funded, await replyTo(order, ...settlementReplies)] };
}

/** The accounts of the two do one transaction at a time, so that the last order waits for all others. */
const patience = { timeoutMs: 240_000 };

function replyTo({ orderId }: TestOrder, ...types: readonly string[]): Promise<string> {
  return eventually(() => {
    const isReply = ({ type, payload }: Envelope): boolean =>
      types.includes(type) && Object.values(payload as object).includes(orderId);
    const reply = adapter.published.find(isReply);
    if (reply === undefined) throw new Error(`none of ${types.join()} yet`);
    return reply.type;
  }, patience);
}

/** The runs of an intent so far, and how many of them were failed attempts. */
async function runsOf({ id }: Envelope): Promise<{ readonly runs: number; readonly attempts: number }> {
  const select = 'select lease_token as runs, attempts from escrow_adapter.intents where id = $1';
  const [row] = await adapter.database.asAdmin<{ readonly runs: number; readonly attempts: number }>(select, [id]);
  return row ?? { runs: 0, attempts: 0 };
}

describe('an order whose source account is in use', () => {
  it('waits without a failed attempt until the account is free', async () => {
    const buyerId = adapter.newId('usr');
    const address = await adapter.accounts.wallets.addressOf(buyerId, defaultMarketplaceId);
    const migrations = migrationFoldersOf(escrowAdapter);
    const leases = createLeases({ database: await adapter.database.open({ service: 'escrow-adapter', migrations }) });
    const account = await leases.acquire([address], new AbortController().signal);
    const order = await requestContract(adapter, { buyerId });
    await eventually(async () => {
      expect((await runsOf(order.command)).runs).toBeGreaterThan(1);
    });
    expect(await runsOf(order.command)).toMatchObject({ attempts: 0 });
    account.release();
    expect(await replyTo(order, 'escrow.created', 'escrow.creation_failed')).toBe('escrow.created');
    await leases.stop();
  });
});

describe('two replicas', () => {
  it('create, fund and release every order of one buyer and one seller once', async () => {
    const [buyerId, sellerId] = [adapter.newId('usr'), adapter.newId('usr')];
    const orders = await Promise.all(Array.from({ length: ordersPerBuyer }, () => wholeOrder(buyerId, sellerId)));
    expect(orders.map(({ replies }) => replies)).toEqual(
      Array(ordersPerBuyer).fill(['escrow.created', 'escrow.funded', 'escrow.released']),
    );
    const escrowIds = orders.map(({ escrowId }) => escrowId);
    const rows = await adapter.database.asAdmin<{ readonly state: string; readonly count: number }>(
      `select state, count(*)::integer as count
       from escrow_adapter.ledger_transactions join escrow_adapter.intents on intents.id = intent_id
       where subject = any($1)
       group by state`,
      [escrowIds],
    );
    expect(rows).toEqual([{ state: 'LANDED', count: ordersPerBuyer * 5 }]);
    const isReleased = ({ type, aggregateId }: Envelope): boolean =>
      type === 'escrow.released' && escrowIds.includes(aggregateId);
    await eventually(() => expect(adapter.published.filter(isReleased)).toHaveLength(ordersPerBuyer));
  }, 500_000);

  it('pay every withdrawal once, also when each command is delivered several times', async () => {
    const userId = adapter.newId('usr');
    const wallet = await adapter.accounts.wallets.addressOf(userId, defaultMarketplaceId);
    await adapter.accounts.give(wallet, 'USDC', '10');
    const address = await adapter.accounts.openOutside();
    const payouts = await Promise.all(
      Array.from({ length: 8 }, () => requestPayout(adapter, { address, userId, amount: '2.00' })),
    );
    await Promise.all([...payouts, ...payouts].map(({ command }) => adapter.republish(command)));
    for (const { withdrawalId } of payouts)
      expect((await adapter.waitForReply(withdrawalId, ...payoutReplies)).type).toBe('withdrawal.ledger_payout_landed');
    expect(await balanceOf(adapter, address)).toBe(16);
  });
});
