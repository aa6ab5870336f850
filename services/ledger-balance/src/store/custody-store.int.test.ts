import { systemClock, type Context } from '@holdfast/kernel/context';
import { custodyTransactionsLanded, type Envelope, type Payload } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { handleOnce } from '@holdfast/messaging/inbox';
import type { Database } from '@holdfast/postgres';
import { silentLog } from '@holdfast/testing/log';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { ledgerBalance } from '../service.js';
import { ledgerTables } from '../testing/running-ledger.js';
import { createAccountDirectory } from './account-directory.js';
import { custodyWriter, walletReader } from './custody-store.js';
import { checkLedger } from './check-ledger.js';

type Landed = Payload<typeof custodyTransactionsLanded>;

const clock = systemClock();
const newId = idFactory(clock.epochMs);
let server: TestDatabase;
let database: Database;
let handle: (message: Envelope<Landed>) => Promise<void>;

beforeAll(async () => {
  server = await serviceDatabase(ledgerBalance);
  database = await server.open(ledgerTables);
  handle = aReplica();
}, serverStartTimeoutMs);

afterEach(async () => {
  expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
});

afterAll(() => server.drop());

function aReplica(): (message: Envelope<Landed>) => Promise<void> {
  const write = custodyWriter({ directory: createAccountDirectory(), clock, newId });
  const handleLanded = handleOnce<Landed>({ database, consumer: 'ledger-balance' }, write);
  const caller = { type: 'system', id: 'ledger-balance', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
  const ctx: Context = { requestId: 'test', caller, at: clock.now(), log: silentLog };
  return (message) => handleLanded(message, ctx);
}

/**
 * Each amount moves from the treasury to the wallet. `taken` overrides what the treasury loses, so that the legs do not sum to
 * zero.
 */
function aMessage(userId: UserId, amounts: readonly string[], taken?: string): Envelope<Landed> {
  const { type, version, aggregateType } = custodyTransactionsLanded;
  const transactions: Landed['transactions'] = amounts.map((amount) => ({
    transactionHash: newId('txn'),
    legs: [
      { place: 'wallet', ownerId: userId, asset: 'USDC', amount },
      { place: 'treasury', asset: 'USDC', amount: negated(taken ?? amount) },
      { place: 'treasury', asset: 'XLM', amount: '-0.001' },
      { place: 'network_fees', asset: 'XLM', amount: '0.001' },
    ],
  }));
  return {
    id: newId('evt'),
    type,
    version,
    aggregateType,
    aggregateId: transactions[0]?.transactionHash ?? '',
    aggregateVersion: 1,
    occurredAt: clock.now(),
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    payload: { transactions },
  };
}

function negated(amount: string): string {
  return amount.startsWith('-') ? amount.slice(1) : `-${amount}`;
}

function holdingsOf(userId: UserId): Promise<bigint> {
  return walletReader(database)(userId, 'USDC');
}

describe('landed transactions', () => {
  it('are booked once', async () => {
    const users = Array.from({ length: 5 }, () => newId('usr'));
    const messages = users.map((userId) => aMessage(userId, ['1.00', '2.50', '0.0000001']));
    await Promise.all([...messages, ...messages].map(handle));
    await Promise.all(messages.map(handle));
    expect(await Promise.all(users.map(holdingsOf))).toEqual(users.map(() => 35_000_001n));
  });

  it('are booked by concurrent replicas on the same accounts', async () => {
    const replica = aReplica();
    const users = Array.from({ length: 8 }, () => newId('usr'));
    const messages = users.flatMap((userId) => [aMessage(userId, ['1.00']), aMessage(userId, ['2.00', '-0.50'])]);
    await Promise.all(messages.map((message, index) => (index % 2 === 0 ? handle : replica)(message)));
    await Promise.all(messages.map((message, index) => (index % 2 === 0 ? replica : handle)(message)));
    expect(await Promise.all(users.map(holdingsOf))).toEqual(users.map(() => 25_000_000n));
  });

  it('are booked although another message has legs that do not sum to zero', async () => {
    const [first, bad, last] = [newId('usr'), newId('usr'), newId('usr')];
    const messages = [aMessage(first, ['1.00']), aMessage(bad, ['2.00'], '1.00'), aMessage(last, ['3.00'])];
    const results = await Promise.allSettled(messages.map(handle));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await Promise.all([first, bad, last].map(holdingsOf))).toEqual([10_000_000n, 0n, 30_000_000n]);
  });

  it('are not booked again by another message about them', async () => {
    const userId = newId('usr');
    const [published, other] = [aMessage(userId, ['1.00']), aMessage(userId, ['5.00'])];
    await handle(published);
    const mixed = { ...other, payload: { transactions: [...published.payload.transactions, ...other.payload.transactions] } };
    await expect(handle(mixed)).rejects.toMatchObject({ code: '23505' });
    expect(await holdingsOf(userId)).toBe(10_000_000n);
  });

  it('are booked on cached, new and rolled-back accounts', async () => {
    const [cached, fresh, rolledBack] = [newId('usr'), newId('usr'), newId('usr')];
    const first = aMessage(cached, ['1.00']);
    await handle(first);
    const other = aMessage(rolledBack, ['5.00']);
    const refused = { ...other, payload: { transactions: [...other.payload.transactions, ...first.payload.transactions] } };
    await expect(handle(refused)).rejects.toMatchObject({ code: '23505' });
    await Promise.all([aMessage(fresh, ['2.00']), aMessage(cached, ['3.00']), aMessage(rolledBack, ['4.00'])].map(handle));
    await handle(aMessage(rolledBack, ['0.50']));
    expect(await Promise.all([cached, fresh, rolledBack].map(holdingsOf))).toEqual([40_000_000n, 20_000_000n, 45_000_000n]);
  });
});
