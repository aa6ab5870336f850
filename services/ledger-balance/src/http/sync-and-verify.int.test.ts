import {
  balanceDepositReceived,
  custodyTransactionsLanded,
  depositMessageId,
  topupCreditRequested,
  type Envelope,
} from '@holdfast/contracts/messages';
import { defaultMarketplaceId, type TopupId, type UserId } from '@holdfast/kernel/ids';
import { eventually } from '@holdfast/testing/eventually';
import { startLedger, type RunningLedger } from '../testing/running-ledger.js';

let ledger: RunningLedger;

beforeAll(async () => {
  ledger = await startLedger();
});

afterEach(() => {
  ledger.wallets.setDown(false);
  ledger.payments.setDown(false);
  ledger.wallets.setHoldings({});
});

afterAll(async () => {
  await ledger.checkAndStop();
});

function landed(userId: string, hash: string, amount: string): Promise<Envelope> {
  return ledger.publish(custodyTransactionsLanded, hash, {
    transactions: [
      {
        transactionHash: hash,
        legs: [
          { place: 'wallet', ownerId: userId, asset: 'USDC', amount },
          { place: 'world', asset: 'USDC', amount: `-${amount}` },
        ],
      },
      {
        transactionHash: `fee-${hash}`,
        legs: [
          { place: 'treasury', asset: 'XLM', amount: '-0.001' },
          { place: 'network_fees', asset: 'XLM', amount: '0.001' },
        ],
      },
    ],
  });
}

const landedAt = '2026-01-31T12:00:00.000000Z';

function aDepositMessage(userId: UserId, { amount, operationId }: { readonly amount: string; readonly operationId: string }) {
  const { type, version, aggregateType } = balanceDepositReceived;
  const deposit: Envelope = {
    id: depositMessageId({ operationId, landedAt }),
    type,
    version,
    aggregateType,
    aggregateId: userId,
    aggregateVersion: 1,
    occurredAt: landedAt,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    saga: 'deposit',
    payload: { userId, amount, currency: 'USDC', operationId },
  };
  return { deposit, publish: () => ledger.republish(deposit) };
}

/** The message is parked, as after all of its retries, then an operator redrives it. */
async function redriven(message: Envelope): Promise<void> {
  await ledger.database.asAdmin(
    `insert into ledger_balance.parked_messages (message_id, type, body, attempts, reason) values ($1, $2, $3, 5, 'test')`,
    [message.id, message.type, Buffer.from(JSON.stringify(message))],
  );
  await ledger.redeliver(message);
}

describe('GET /users/{userId}/balance/verify', () => {
  it('200 compares the wallet on the network with the journal', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    const published = await landed(userId, `hash-${userId}`, '12.50');
    await ledger.republish(published);
    ledger.wallets.setHoldings({ USDC: '12.50' });
    await eventually(async () => {
      expect((await ledger.get(`/users/${userId}/balance/verify`)).data).toMatchObject({
        isValid: true,
        offChainBalance: { available: '5.00' },
        onChainBalance: { address: 'GWALLET', balance: '12.50', asset: 'USDC' },
        difference: '0.00',
      });
    });
    ledger.wallets.setHoldings({ USDC: '12.4999999' });
    expect((await ledger.get(`/users/${userId}/balance/verify`)).data).toMatchObject({
      isValid: false,
      difference: '-0.0000001',
    });
    expect((await ledger.get(`/users/${userId}/balance/verify?currency=XLM`)).data).toMatchObject({ isValid: true });
  });

  it('500 VERIFICATION_FAILED while the ledger network is unreachable', async () => {
    const userId = await ledger.aUser();
    ledger.wallets.setDown(true);
    const response = await ledger.get(`/users/${userId}/balance/verify`);
    expect([response.status, response.code]).toEqual([500, 'VERIFICATION_FAILED']);
  });

  it('404 USER_NOT_FOUND for an unknown user', async () => {
    expect((await ledger.get(`/users/usr_nobody/balance/verify`)).code).toBe('USER_NOT_FOUND');
  });
});

describe('POST /users/{userId}/balance/sync', () => {
  it.each(['is published', 'is redriven after it was parked'])(
    '200 credits a missed deposit once, if its message %s later',
    async (how) => {
      const userId = await ledger.aUser();
      const operationId = `operation of ${userId}`;
      ledger.wallets.setDeposits([{ asset: 'USDC', amount: '7.25', operationId }]);
      const response = await ledger.post(`/users/${userId}/balance/sync`, { currency: 'USDC' });
      expect(response.data).toMatchObject({
        synced: true,
        previousBalance: { available: '0.00' },
        currentBalance: { available: '7.25' },
        discrepancyDetected: true,
        adjustment: '7.25',
      });
      const { deposit, publish } = aDepositMessage(userId, { amount: '7.25', operationId });
      await (how === 'is published' ? publish() : redriven(deposit));
      await ledger.idle();
      expect((await ledger.get(`/users/${userId}/balance?currency=USDC`)).data).toMatchObject({ available: '7.25' });
      expect(await ledger.database.asAdmin('select from ledger_balance.parked_messages')).toHaveLength(0);
    },
  );

  it('200 credits the currency that escrow-adapter names', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    ledger.wallets.setDeposits([{ asset: 'USDC', currency: 'USD', amount: '7.25', operationId: `operation of ${userId}` }]);
    const response = await ledger.post(`/users/${userId}/balance/sync`, {});
    expect(response.data).toMatchObject({ currentBalance: { available: '8.25', currency: 'USD' }, adjustment: '7.25' });
    expect((await ledger.get(`/users/${userId}/balances`)).data).toMatchObject({
      data: [{ currency: 'USD', available: '8.25' }],
    });
  });

  it('200 credits nothing if the message of the deposit was handled before', async () => {
    const userId = await ledger.aUser();
    const operationId = `operation of ${userId}`;
    await aDepositMessage(userId, { amount: '7.25', operationId }).publish();
    await ledger.idle();
    ledger.wallets.setDeposits([{ asset: 'USDC', amount: '7.25', operationId }]);
    const response = await ledger.post(`/users/${userId}/balance/sync`, { currency: 'USDC' });
    expect(response).toMatchObject({ status: 200, data: { discrepancyDetected: false, adjustment: null } });
    expect((await ledger.get(`/users/${userId}/balance?currency=USDC`)).data).toMatchObject({ available: '7.25' });
    expect(await ledger.eventsOf(userId, 1)).toHaveLength(1);
    expect(await ledger.database.asAdmin('select from ledger_balance.parked_messages')).toHaveLength(0);
  });

  it('200 reports an unexplained difference, publishes it as one message while it stays the same, and changes nothing', async () => {
    const userId = await ledger.aUser({ available: '1.00' });
    const found = () => ledger.repliesTo(userId).filter(({ type }) => type === 'balance.difference_found');
    ledger.wallets.setHoldings({ USDC: '3.00' });
    for (let syncs = 0; syncs < 2; syncs += 1) {
      expect((await ledger.post(`/users/${userId}/balance/sync`, {})).data).toMatchObject({
        currentBalance: { available: '1.00' },
        discrepancyDetected: true,
        adjustment: null,
      });
    }
    ledger.wallets.setHoldings({ USDC: '2.00' });
    await ledger.post(`/users/${userId}/balance/sync`, {});
    await eventually(() => expect(found()).toHaveLength(3));
    expect(found().map(({ payload }) => payload)).toEqual(
      ['3.00', '3.00', '2.00'].map((amount) => ({ userId, amount, currency: 'USDC', address: 'GWALLET' })),
    );
    expect(new Set(found().map(({ id }) => id)).size).toBe(2);
    await eventually(() =>
      expect(ledger.repliesTo(userId).map(({ payload }) => payload)).toContainEqual(
        expect.objectContaining({ action: 'BALANCE_ADJUSTED', result: 'FAILURE' }),
      ),
    );
  });

  it('200 reports no difference for a transaction that is booked a moment later', async () => {
    const userId = await ledger.aUser();
    ledger.wallets.setHoldings({ USDC: '12.50' });
    ledger.wallets.onSecondHoldings(async () => {
      await landed(userId, `late-${userId}`, '12.50');
      await ledger.idle();
    });
    expect((await ledger.post(`/users/${userId}/balance/sync`, {})).data).toMatchObject({ discrepancyDetected: false });
    await ledger.idle();
    expect(ledger.repliesTo(userId).filter(({ type }) => type === 'balance.difference_found')).toEqual([]);
  });

  const adjustments = (userId: string) =>
    ledger.repliesTo(userId).filter(({ payload }) => (payload as { action?: string }).action === 'BALANCE_ADJUSTED');

  /** payments waits until the ledger has credited the top-up, then names it. */
  async function creditTopup(userId: UserId, topupId: TopupId) {
    const topup = { topupId, amount: '25.00', currency: 'USD' } as const;
    await ledger.publish(topupCreditRequested, topupId, { ...topup, userId });
    await ledger.reply('balance.topup_credited', topupId);
    return [topup];
  }

  it('200 counts top-ups that its refresh has credited as adjustment, with an audit entry', async () => {
    const userId = await ledger.aUser({ available: '5.00' });
    ledger.payments.onRefresh((refreshed) => creditTopup(refreshed, 'topup_synced'));
    expect((await ledger.post(`/users/${userId}/balance/sync`, {})).data).toMatchObject({
      previousBalance: { available: '5.00' },
      currentBalance: { available: '30.00' },
      discrepancyDetected: true,
      adjustment: '25.00',
    });
    await ledger.idle();
    expect(adjustments(userId).map(({ payload }) => payload)).toMatchObject([
      {
        resourceId: userId,
        result: 'SUCCESS',
        reason: 'Top-up',
        before: { currency: 'USD', available: '5.00', reserved: '0.00' },
        after: { currency: 'USD', available: '30.00', amount: '25.00', reference: 'topup_synced' },
      },
    ]);
  });

  it('200 adds up deposits and top-ups, and counts the currency of the request only', async () => {
    const userId = await ledger.aUser();
    const deposit = { asset: 'USDC', currency: 'USD', amount: '7.25', operationId: `operation of ${userId}` } as const;
    ledger.wallets.setDeposits([deposit]);
    ledger.payments.onRefresh((refreshed) => creditTopup(refreshed, 'topup_both'));
    expect((await ledger.post(`/users/${userId}/balance/sync`, {})).data).toMatchObject({ adjustment: '32.25' });
    const other = await ledger.aUser();
    ledger.payments.onRefresh((refreshed) => creditTopup(refreshed, 'topup_other'));
    expect((await ledger.post(`/users/${other}/balance/sync`, { currency: 'USDC' })).data).toMatchObject({
      discrepancyDetected: false,
      adjustment: null,
    });
    await ledger.idle();
    expect(adjustments(other)).toHaveLength(1);
  });

  it('200 counts no top-up that was credited before the request, and none twice', async () => {
    const userId = await ledger.aUser();
    const credited = await creditTopup(userId, 'topup_before');
    ledger.payments.onRefresh(() => Promise.resolve(credited));
    expect((await ledger.post(`/users/${userId}/balance/sync`, {})).data).toMatchObject({
      currentBalance: { available: '25.00' },
      discrepancyDetected: false,
      adjustment: null,
    });
    await ledger.idle();
    expect(adjustments(userId)).toEqual([]);
  });

  it('200 audits a deposit whose message was handled while the request ran', async () => {
    const userId = await ledger.aUser();
    const operationId = `operation of ${userId}`;
    ledger.wallets.setDeposits([{ asset: 'USDC', amount: '7.25', operationId }]);
    ledger.payments.onRefresh(async () => {
      await aDepositMessage(userId, { amount: '7.25', operationId }).publish();
      await ledger.idle();
      return [];
    });
    const response = await ledger.post(`/users/${userId}/balance/sync`, { currency: 'USDC' });
    expect(response.data).toMatchObject({ discrepancyDetected: true, adjustment: '7.25' });
    await ledger.idle();
    expect(adjustments(userId)).toMatchObject([{ payload: { result: 'SUCCESS', after: { available: '7.25', amount: '7.25' } } }]);
  });

  it('200 without discrepancy if wallet and journal agree', async () => {
    const userId = await ledger.aUser();
    const response = await ledger.post(`/users/${userId}/balance/sync`, {});
    expect(response.data).toMatchObject({ synced: true, discrepancyDetected: false, adjustment: null });
  });

  it.each(['wallets', 'payments'] as const)(
    '504 PROVIDER_TIMEOUT while the provider of the %s is unreachable',
    async (provider) => {
      const userId = await ledger.aUser();
      ledger[provider].setDown(true);
      const response = await ledger.post(`/users/${userId}/balance/sync`, {});
      expect([response.status, response.code]).toEqual([504, 'PROVIDER_TIMEOUT']);
    },
  );
});
