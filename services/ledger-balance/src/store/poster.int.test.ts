import { systemClock } from '@holdfast/kernel/context';
import type { Envelope } from '@holdfast/contracts/messages';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { money, type Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { escrowAccount, externalAccount } from '../domain/accounts.js';
import { byManualRequest, forOrder, type ReservedFor } from '../domain/reservations.js';
import { ledgerBalance } from '../service.js';
import { aPoster } from '../testing/a-poster.js';
import { ledgerTables } from '../testing/running-ledger.js';
import { creditOfDeposit } from '../use-cases/credit-of-deposit.js';
import type { Posting } from '../use-cases/ports.js';
import type { Poster } from './poster.js';
import { checkLedger } from './check-ledger.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
let test: TestDatabase;
let database: Database;
let replicas: readonly Poster[];

beforeAll(async () => {
  test = await serviceDatabase(ledgerBalance);
  database = await test.open(ledgerTables);
  replicas = await Promise.all([aReplica(), aReplica(), aReplica()]);
});

afterAll(async () => {
  await test.drop();
});

/** Spreads calls over replicas. */
function nth<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('the list is empty');
  return item;
}

/** One of several replicas: a poster with its own connections and cache. */
async function aReplica(): Promise<Poster> {
  return aPoster(await test.open(ledgerTables), { clock, newId });
}

async function someUsers(count: number): Promise<readonly UserId[]> {
  const ids = Array.from({ length: count }, () => newId('usr'));
  await test.asAdmin(
    `insert into ledger_balance.users (id, marketplace_id, type, status, version, received_at)
     select id, 'mkt_default', 'BOTH', 'ACTIVE', 1, now() from unnest($1::text[]) as id`,
    [ids],
  );
  return ids;
}

function aCredit(userId: UserId, currency: Currency, overrides: Partial<Posting> = {}): Posting {
  return {
    type: 'CREDIT',
    instruction: {
      does: 'credit',
      userId,
      amount: money(10_000_000n, currency),
      from: externalAccount('manual', currency),
      source: 'manual',
    },
    marketplaceId: defaultMarketplaceId,
    requestId: 'test',
    ...overrides,
  };
}

/** Moves reserved funds of an order to its escrow account, caused by a message. */
function aFunding(userId: UserId, orderId: string): Posting {
  const message: Envelope = {
    id: newId('evt'),
    type: 'order.fund_requested',
    version: 1,
    occurredAt: clock.now(),
    aggregateType: 'Order',
    aggregateId: orderId,
    aggregateVersion: 1,
    marketplaceId: defaultMarketplaceId,
    correlationId: 'test',
    payload: {},
  };
  const funds = { userId, amount: money(10_000_000n, 'USD'), reservedFor: forOrder(orderId) } as const;
  const to = escrowAccount(orderId, 'USD');
  return {
    type: 'DEDUCT',
    instruction: { does: 'deduct', ...funds, to, reason: 'escrow_funded', exceeded: 'RESERVE_NOT_FOUND' },
    marketplaceId: defaultMarketplaceId,
    requestId: 'test',
    cause: message.id,
    orderId,
    message,
  };
}

/** A deposit as a sync posts it, and as its message does. */
function aDeposit(userId: UserId, operationId: string): { readonly bySync: Posting; readonly byMessage: Posting } {
  const credit = creditOfDeposit({ userId, amount: money(10_000_000n, 'USDC'), operationId });
  const bySync: Posting = { ...credit, marketplaceId: defaultMarketplaceId, requestId: 'test' };
  const { message } = aFunding(userId, operationId);
  return { bySync, byMessage: { ...bySync, message } };
}

function aHold(userId: UserId, reservedFor: ReservedFor): Posting {
  const instruction = { does: 'reserve', userId, amount: money(10_000_000n, 'USD'), reservedFor } as const;
  return { ...aCredit(userId, 'USD'), type: 'RESERVE', instruction };
}

function aRelease(userId: UserId, reservedFor: ReservedFor): Posting {
  const funds = { userId, amount: money(10_000_000n, 'USD'), reservedFor } as const;
  const instruction = { does: 'free', ...funds, reason: 'released', exceeded: 'RESERVATION_EXCEEDED' } as const;
  return { ...aCredit(userId, 'USD'), type: 'RELEASE', instruction };
}

async function aReservedOrder(replica: Poster): Promise<Posting> {
  const [userId = 'usr_0'] = await someUsers(1);
  const orderId = newId('ord');
  await replica.post(aCredit(userId, 'USD'));
  await replica.post(aHold(userId, forOrder(orderId)));
  return aFunding(userId, orderId);
}

async function balanceOf(owner: string, currency: Currency): Promise<bigint> {
  const rows = await test.asAdmin<{ readonly available_units: string }>(
    'select available_units from ledger_balance.accounts where owner = $1 and currency = $2',
    [owner, currency],
  );
  return BigInt(rows[0]?.available_units ?? 0);
}

describe('concurrent replicas', () => {
  it('keep the ledger consistent when they touch the same accounts in any order', async () => {
    const users = await someUsers(5);
    await Promise.all(
      Array.from({ length: 600 }, (_, index) => {
        const userId = nth(users, index * 7);
        return nth(replicas, index).post(aCredit(userId, index % 2 === 0 ? 'USD' : 'XLM'));
      }),
    );
    const totals = await Promise.all(users.flatMap((userId) => [balanceOf(userId, 'USD'), balanceOf(userId, 'XLM')]));
    expect(totals.reduce((sum, units) => sum + units, 0n)).toBe(600n * 10_000_000n);
    expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
  });

  it('post a reference once, also for concurrent requests on different accounts', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [userId = 'usr_0'] = await someUsers(1);
      const requests = Array.from({ length: 20 }, (_, index) =>
        nth(replicas, index).post(aCredit(userId, index % 4 < 2 ? 'USD' : 'USDC', { reference: 'same' })),
      );
      const settled = await Promise.allSettled(requests);
      const refusals = settled.flatMap((result) =>
        result.status === 'rejected' ? [(result.reason as { code: string }).code] : [],
      );
      expect(refusals).toEqual(Array.from({ length: 10 }, () => 'REFERENCE_EXISTS'));
      expect((await balanceOf(userId, 'USD')) + (await balanceOf(userId, 'USDC'))).toBe(10_000_000n);
    }
  });

  it('post an operation once, and refuse its id for another operation', async () => {
    const [userId = 'usr_0', another = 'usr_0'] = await someUsers(2);
    const [first, ...same] = await Promise.all(
      replicas.map((replica) => replica.post(aCredit(userId, 'USD', { cause: 'op_1' }))),
    );
    expect(same).toEqual([first, first]);
    await expect(nth(replicas, 0).post(aCredit(another, 'USD', { cause: 'op_1' }))).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await balanceOf(userId, 'USD')).toBe(10_000_000n);
    expect(await balanceOf(another, 'USD')).toBe(0n);
  });
});

describe('a message', () => {
  it('has one effect, also if several replicas handle it at once or a batch has it twice', async () => {
    for (let round = 0; round < 5; round += 1) {
      const funding = await aReservedOrder(nth(replicas, round));
      await Promise.all(Array.from({ length: 6 }, (_, index) => nth(replicas, index).post(funding)));
      expect(await balanceOf(funding.orderId ?? '', 'USD')).toBe(10_000_000n);
    }
  });

  it('creates its escrow account, also after another posting has failed its batch', async () => {
    const replica = nth(replicas, 0);
    const funding = await aReservedOrder(replica);
    const [userId = 'usr_0'] = await someUsers(1);
    const offender = aCredit(userId, 'USD', { description: 'a\u0000b' });
    const settled = await Promise.allSettled([funding, offender].map(replica.post));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await balanceOf(funding.orderId ?? '', 'USD')).toBe(10_000_000n);
    expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
  });

  it('that fails does not affect the rest of its batch and can be retried', async () => {
    const replica = nth(replicas, 0);
    const [userId = 'usr_0'] = await someUsers(1);
    const orderId = newId('ord');
    const funding = aFunding(userId, orderId);
    const settled = await Promise.allSettled([aCredit(userId, 'USD'), funding, aCredit(userId, 'USD')].map(replica.post));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await balanceOf(userId, 'USD')).toBe(20_000_000n);

    await replica.post(aHold(userId, forOrder(orderId)));
    await replica.post(funding);

    expect(await balanceOf(orderId, 'USD')).toBe(10_000_000n);
  });
});

describe('a deposit', () => {
  it.each(['sync first', 'message first'])('is credited once by a sync and its message in one batch, %s', async (order) => {
    const replica = nth(replicas, 0);
    const [userId = 'usr_0', busy = 'usr_0'] = await someUsers(2);
    const { bySync, byMessage } = aDeposit(userId, newId('tr'));
    // Occupy both transactions of the poster, so that the next postings share a batch.
    const others = [aCredit(busy, 'USD'), aCredit(busy, 'USD')].map(replica.post);
    const postings = order === 'sync first' ? [bySync, byMessage, byMessage] : [byMessage, bySync, byMessage];
    const settled = await Promise.allSettled([...others, ...postings.map(replica.post)]);
    expect(settled.map(({ status }) => status)).toEqual(Array(5).fill('fulfilled'));
    expect(await balanceOf(userId, 'USDC')).toBe(10_000_000n);
  });

  it('is credited once by syncs and messages of several replicas at once, and by each of them later', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [userId = 'usr_0'] = await someUsers(1);
      const { bySync, byMessage } = aDeposit(userId, newId('tr'));
      const postings = Array.from({ length: 8 }, (_, index) => (index % 4 < 2 ? bySync : byMessage));
      await Promise.all(postings.map((posting, index) => nth(replicas, index + round).post(posting)));
      await test.asAdmin('delete from ledger_balance.inbox where message_id = $1', [byMessage.message?.id]);
      await nth(replicas, round).post(byMessage);
      await nth(replicas, round).post(bySync);
      expect(await balanceOf(userId, 'USDC')).toBe(10_000_000n);
    }
    expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
  });
});

describe('a batch', () => {
  it('gives each posting its own result: posted, refused, unknown user', async () => {
    const replica = nth(replicas, 0);
    const [userId = 'usr_0'] = await someUsers(1);
    const tooMuch: Posting = {
      ...aCredit(userId, 'USD'),
      instruction: {
        does: 'debit',
        userId,
        amount: money(10n ** 15n, 'USD'),
        to: externalAccount('manual', 'USD'),
        destination: 'manual',
      },
    };
    const settled = await Promise.allSettled(
      [aCredit(userId, 'USD'), tooMuch, aCredit(newId('usr'), 'USD'), aCredit(userId, 'USD')].map(replica.post),
    );
    expect(settled.map((result) => (result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code))).toEqual([
      'done',
      'INSUFFICIENT_FUNDS',
      'USER_NOT_FOUND',
      'done',
    ]);
    expect(await balanceOf(userId, 'USD')).toBe(20_000_000n);
  });

  it('is committed without the posting that fails it', async () => {
    const replica = nth(replicas, 0);
    const [userId = 'usr_0'] = await someUsers(1);
    const offender = aCredit(userId, 'USD', { description: 'a\u0000b' });
    const settled = await Promise.allSettled([aCredit(userId, 'USD'), offender, aCredit(userId, 'USD')].map(replica.post));
    expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(await balanceOf(userId, 'USD')).toBe(20_000_000n);
  });

  it('releases each reservedFor separately: manual, of an order, used up, of another user', async () => {
    const replica = nth(replicas, 0);
    const [userId = 'usr_0', another = 'usr_0'] = await someUsers(2);
    const [orderId, over] = [newId('ord'), newId('ord')];
    const holds = [forOrder(orderId), byManualRequest, forOrder(over)];
    await Promise.all([userId, userId, userId, another].map((id) => replica.post(aCredit(id, 'USD'))));
    await Promise.all(
      [...holds.map((reservedFor) => aHold(userId, reservedFor)), aHold(another, forOrder(orderId))].map(replica.post),
    );
    await replica.post(aRelease(userId, forOrder(over)));

    const released = await Promise.allSettled(
      [forOrder(orderId), byManualRequest, forOrder(over), forOrder(orderId)].map((reservedFor) =>
        replica.post(aRelease(userId, reservedFor)),
      ),
    );
    expect(released.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(await balanceOf(userId, 'USD')).toBe(30_000_000n);
    expect(await balanceOf(another, 'USD')).toBe(0n);
    expect((await checkLedger(database, clock)).discrepancies).toEqual([]);
  });
});
