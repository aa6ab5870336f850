import { Account, Asset, BASE_FEE, Operation, TransactionBuilder } from '@stellar/stellar-sdk';
import { defaultMarketplaceId, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { landedHashes } from './testing/landed-transactions.js';
import {
  aCreatedContract,
  aFundedContract,
  requestContract,
  requestFunding,
  requestSettlement,
  settlementReplies,
} from './testing/orders.js';
import { startAdapter, type RunningAdapter } from './testing/running-adapter.js';
import { balanceOf, contractsOf } from './testing/sandbox-state.js';
import { submitOutside } from './testing/submit-outside.js';
import { textOfUnits } from '@holdfast/ledger-network/values';

let adapter: RunningAdapter;
beforeAll(async () => {
  adapter = await startAdapter();
});
afterAll(() => adapter.stop());

describe('a contract', () => {
  const walletOf = (userId: UserId): Promise<string> => adapter.accounts.wallets.addressOf(userId, defaultMarketplaceId);
  const usdcOf = async (userId: UserId): Promise<number> => balanceOf(adapter, await walletOf(userId));

  it('is deployed with its terms, and escrow.created has its contract id', async () => {
    const order = await requestContract(adapter);
    const published = await adapter.waitForReply(order.orderId, 'escrow.created');
    const [contract, ...others] = await contractsOf(adapter, order.orderId);
    expect(others).toEqual([]);
    expect(published).toMatchObject({
      saga: 'create-escrow',
      sagaRunId: order.command.sagaRunId,
      causationId: order.command.afterEventId,
      afterEventId: order.command.afterEventId,
      aggregateId: order.escrowId,
      aggregateVersion: 1,
      aggregatePart: 'escrow-adapter',
      payload: { escrowId: order.escrowId, amount: '100.00', currency: 'USD', providerContractId: contract?.contractId },
    });
    expect(contract).toMatchObject({ type: 'single-release', amount: 100, balance: 0 });
  });

  it.each([{ parts: ['100.00'] }, { parts: ['70.00', '30.00'] }])(
    'of $parts has texts that its version takes',
    async ({ parts }) => {
      const long = '\n' + 'é'.repeat(1_000);
      const milestones = parts.map((amount, index) => ({ ref: `part-${index}`, title: long, amount }));
      const { orderId } = await aCreatedContract(adapter, { parts, title: long, description: long, milestones });
      const stored = await adapter.database.asAdmin(
        'select title, description, milestones from escrow_adapter.contracts where order_id = $1',
        [orderId],
      );
      const title = 'é'.repeat(50);
      expect(stored).toMatchObject([{ title, description: 'é'.repeat(250), milestones: parts.map(() => ({ title })) }]);
    },
  );

  it.each([
    { parts: ['100.00'], net: 94.7 },
    { parts: ['60.00', '30.00', '10.00'], net: 94.7 },
  ])('of $parts is funded from the treasury and released to the seller', async ({ parts, net }) => {
    const order = await aFundedContract(adapter, { parts });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 100 }]);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(published.type).toBe('escrow.released');
    expect(published.payload).toMatchObject({
      amount: '100.00',
      platformFee: '5.00',
      netAmount: '95.00',
      sellerId: order.sellerId,
    });
    expect(published.payload).not.toHaveProperty('refundAmount');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0, flags: { released: true } }]);
    expect(await usdcOf(order.sellerId)).toBe(net);
  });

  it.each([{ parts: ['100.00'] }, { parts: ['70.00', '30.00'] }])('of $parts is refunded to the buyer', async ({ parts }) => {
    const order = await aFundedContract(adapter, { parts });
    await requestSettlement(adapter, order, { decision: 'REFUND' });
    const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(published).toMatchObject({ type: 'escrow.refunded', payload: { amount: '100.00', buyerId: order.buyerId } });
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0, flags: { resolved: true } }]);
    expect(await usdcOf(order.buyerId)).toBe(94.7);
  });

  it.each([{ parts: ['100.00'] }, { parts: ['70.00', '30.00'] }])('of $parts is split', async ({ parts }) => {
    const order = await aFundedContract(adapter, { parts });
    await requestSettlement(adapter, order, { decision: 'SPLIT', sellerAmount: '80.00' });
    const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(published).toMatchObject({
      type: 'escrow.released',
      payload: { amount: '100.00', platformFee: '4.00', netAmount: '76.00', buyerId: order.buyerId, refundAmount: '20.00' },
    });
    expect([await usdcOf(order.sellerId), await usdcOf(order.buyerId)]).toEqual([75.76, 18.94]);
  });

  it('is split with nothing for the seller', async () => {
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'SPLIT', sellerAmount: '0.00' });
    const published = await adapter.waitForReply(order.orderId, ...settlementReplies);
    expect(published.payload).toMatchObject({ netAmount: '0.00', refundAmount: '100.00' });
    expect([await usdcOf(order.sellerId), await usdcOf(order.buyerId)]).toEqual([0, 94.7]);
  });

  it('is funded in XLM for an order in XLM', async () => {
    const order = await aFundedContract(adapter, { currency: 'XLM', parts: ['20.00'] });
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    expect((await adapter.waitForReply(order.orderId, ...settlementReplies)).type).toBe('escrow.released');
    expect(await contractsOf(adapter, order.orderId)).toMatchObject([{ balance: 0 }]);
  });

  it('is funded from the wallet of the buyer if it holds enough', async () => {
    const order = await aCreatedContract(adapter);
    await adapter.accounts.give(await walletOf(order.buyerId), 'USDC', '150');
    await requestFunding(adapter, order);
    await adapter.waitForReply(order.orderId, 'escrow.funded');
    expect(await usdcOf(order.buyerId)).toBe(50);
  });

  it('counts its messages, and a redelivered command gets the same reply', async () => {
    const order = await aFundedContract(adapter);
    const created = await adapter.waitForReply(order.orderId, 'escrow.created');
    const funded = await adapter.waitForReply(order.orderId, 'escrow.funded');
    expect([created.aggregateVersion, funded.aggregateVersion]).toEqual([1, 2]);
    await adapter.republish(order.command);
    await eventually(() => expect(adapter.published.filter(({ id }) => id === created.id)).toHaveLength(2));
    expect(await contractsOf(adapter, order.orderId)).toHaveLength(1);
  });

  it('gets the same reply again for a command whose inbox row was pruned', async () => {
    const order = await aCreatedContract(adapter);
    const funding = await requestFunding(adapter, order);
    const replies = [
      await adapter.waitForReply(order.orderId, 'escrow.created'),
      await adapter.waitForReply(order.orderId, 'escrow.funded'),
    ];
    await adapter.database.asAdmin('delete from escrow_adapter.inbox where message_id = any($1)', [
      [order.command.id, funding.id],
    ]);
    await adapter.republish(order.command);
    await adapter.republish(funding);
    for (const reply of replies) {
      await eventually(() => expect(adapter.published.filter(({ id }) => id === reply.id)).toHaveLength(2));
    }
    expect(await contractsOf(adapter, order.orderId)).toHaveLength(1);
  });

  it('has each of its transactions stored once', async () => {
    const order = await aFundedContract(adapter);
    await requestSettlement(adapter, order, { decision: 'RELEASE' });
    await adapter.waitForReply(order.orderId, ...settlementReplies);
    const own = await landedHashes(adapter, order.orderId);
    expect(new Set(own).size).toBe(5);
  });
});

const reserveUnits = 10_000_000n;

/** The fee payer keeps its reserve, and nothing to pay a fee with. */
async function spendXlmOfFeePayer(): Promise<void> {
  const { network, feePayer, openOutside } = adapter.accounts;
  const account = await network.account(feePayer.publicKey());
  if (account === undefined) throw new Error('the fee payer has no account');
  const units = (account.balances.XLM ?? 0n) - reserveUnits - BigInt(BASE_FEE);
  const source = new Account(feePayer.publicKey(), account.sequence.toString());
  const payment = { destination: await openOutside(), asset: Asset.native(), amount: textOfUnits(units) };
  const transaction = new TransactionBuilder(source, { fee: BASE_FEE, networkPassphrase: network.networkPassphrase })
    .addOperation(Operation.payment(payment))
    .setTimeout(30)
    .build();
  transaction.sign(feePayer);
  await submitOutside(adapter.sandbox, transaction.toXDR());
}

type OpenIntent = { readonly attempts: number; readonly runs: number };

const openIntents = (): Promise<readonly OpenIntent[]> =>
  adapter.database.asAdmin('select attempts, lease_token as runs from escrow_adapter.intents where closed_at is null');

const xlmOf = async (address: string): Promise<bigint | undefined> =>
  (await adapter.accounts.network.account(address))?.balances.XLM;

describe('the fees of a contract', () => {
  it('are paid by the treasury, not by the wallets', async () => {
    const { feePayer, wallets } = adapter.accounts;
    const before = await xlmOf(feePayer.publicKey());
    const order = await aFundedContract(adapter);
    // It was opened with 100 XLM, and has paid for its trustline itself.
    expect(await xlmOf(await wallets.addressOf(order.buyerId, 'mkt_default'))).toBe(999_999_900n);
    expect(await xlmOf(feePayer.publicKey())).toBeLessThan(before ?? 0n);
  });

  it('that the treasury cannot pay let the order wait, without an attempt that counts, until it can', async () => {
    await spendXlmOfFeePayer();
    const { orderId } = await requestContract(adapter);
    await eventually(async () => {
      const [waiting] = await openIntents();
      expect(waiting?.runs).toBeGreaterThan(1);
      expect(waiting?.attempts).toBe(0);
    });
    await adapter.accounts.give(adapter.accounts.feePayer.publicKey(), 'XLM', '1000');
    await adapter.waitForReply(orderId, 'escrow.created');
  });
});
