import fc from 'fast-check';
import type { BalanceTransaction } from '@holdfast/contracts/http';
import { systemClock, toInstant, type Clock, type Context, type Instant } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { currencies, money, parseUnits, type Currency } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import type { TestDatabase } from '@holdfast/testing/postgres';
import { serviceDatabase } from '@holdfast/testing/services';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { escrowAccount, externalAccount } from '../domain/accounts.js';
import type { Instruction } from '../domain/instructions.js';
import { byManualRequest, forOrder, forWithdrawal, type ReservedFor } from '../domain/reservations.js';
import { ledgerBalance } from '../service.js';
import { aPoster } from '../testing/a-poster.js';
import { ledgerTables } from '../testing/running-ledger.js';
import { getStatement, type StatementPage } from '../use-cases/get-statement.js';
import { listAccountTransactions } from '../use-cases/list-account-transactions.js';
import type { AccountHistory, AccountTransaction, Balance, BalanceReader, Deps } from '../use-cases/ports.js';
import { accountHistory } from './account-history.js';
import { balanceStore } from './balance-store.js';
import type { Poster } from './poster.js';
import { statementStore } from './statement-store.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const hourMs = 3_600_000;
const lateClock: Clock = { now: () => toInstant(clock.epochMs() - hourMs), epochMs: () => clock.epochMs() - hourMs };
const caller = { type: 'account', id: 'unused', marketplaceId: defaultMarketplaceId, scopes: [] } as const;
const concurrent = 5;
const pageSize = 7;

let server: TestDatabase;
let database: Database;
let balances: BalanceReader;
let personHistory: AccountHistory;
/** The clock of the second one is an hour behind. */
let replicas: readonly [Poster, Poster];

beforeAll(async () => {
  server = await serviceDatabase(ledgerBalance);
  database = await server.open(ledgerTables);
  balances = balanceStore(database);
  personHistory = accountHistory(database);
  replicas = [aPoster(database, { clock, newId }), aPoster(database, { clock: lateClock, newId })];
}, serverStartTimeoutMs);

afterAll(() => server.drop());

async function aUserId(): Promise<UserId> {
  const userId = newId('usr');
  const insert = `insert into ledger_balance.users (id, marketplace_id, type, status, version, received_at)
    values ($1, $2, 'BOTH', 'ACTIVE', 1, now())`;
  await server.asAdmin(insert, [userId, defaultMarketplaceId]);
  return userId;
}

/** Everything that changes a user's balance. Some of it is refused, depending on what came before. */
function anyInstruction(userId: UserId, currency: Currency = 'USD'): fc.Arbitrary<Instruction> {
  const orderId = `ord_${userId.slice(4)}`;
  const outside = externalAccount('manual', currency);
  const ofUser = fc.bigInt({ min: 1n, max: 90n }).map((units) => ({ userId, amount: money(units, currency) }));
  const reservedFor = fc.constantFrom<ReservedFor>(byManualRequest, forOrder(orderId), forWithdrawal('wd_1'));
  const held = fc.tuple(ofUser, reservedFor).map(([amount, of]) => ({ ...amount, reservedFor: of, reason: 'test' }));
  return fc.oneof(
    ofUser.map((amount): Instruction => ({ does: 'credit', ...amount, from: outside, source: 'test' })),
    ofUser.map((amount): Instruction => ({ does: 'debit', ...amount, to: outside, destination: 'test' })),
    held.map((part): Instruction => ({ does: 'reserve', ...part })),
    held.map((part): Instruction => ({ does: 'free', ...part, exceeded: 'RESERVATION_EXCEEDED' })),
    held.map((part): Instruction => ({ does: 'deduct', ...part, to: outside, exceeded: 'RESERVE_NOT_FOUND' })),
    held.map((part): Instruction => {
      return { does: 'deduct', ...part, to: escrowAccount(orderId, currency), exceeded: 'RESERVE_NOT_FOUND' };
    }),
    reservedFor.map((of): Instruction => {
      return { does: 'free-all', userId, currency, reservedFor: of, reason: 'test', whenNothing: 'refuse' };
    }),
    ofUser.map((amount): Instruction => ({ does: 'restore', ...amount, orderId, reservedFor: forOrder(orderId) })),
    ofUser.map(({ amount }): Instruction => {
      const payout = { userId, amount, source: 'test' };
      return { does: 'settle', orderId, payouts: [payout, payout], fee: amount };
    }),
  );
}

async function post(instructions: readonly Instruction[]): Promise<void> {
  for (let first = 0; first < instructions.length; first += concurrent) {
    const group = instructions.slice(first, first + concurrent).map((instruction, index) => {
      const posting = { instruction, type: 'CREDIT', marketplaceId: defaultMarketplaceId, requestId: 'test' } as const;
      return replicas[(first + index) % 2 === 0 ? 0 : 1].post(posting);
    });
    await Promise.allSettled(group);
  }
}

/** All pages, oldest first. */
async function historyOf(userId: UserId, currency: Currency = 'USD'): Promise<readonly BalanceTransaction[]> {
  const items: BalanceTransaction[] = [];
  for (;;) {
    const cursor = items.at(-1)?.id;
    const page = await balances.history(userId, {
      currency,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    items.push(...(page ?? []).slice(0, pageSize));
    if (page === undefined || page.length <= pageSize) return items.reverse();
  }
}

function balanceOf(userId: UserId, at?: Balance['updatedAt']): Promise<Balance | undefined> {
  return balances.find(defaultMarketplaceId, { userId, currency: 'USD', at });
}

describe('the history of a balance', () => {
  it('adds up to the balance, now and at every moment, for any operations on replicas whose clocks differ', async () => {
    const plan = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 40 });
    const property = fc.asyncProperty(plan, async (seeds) => {
      const userId = await aUserId();
      const instruction = anyInstruction(userId);
      await post(seeds.flatMap((seed) => fc.sample(instruction, { seed, numRuns: 1 })));
      await expectToAddUp(userId);
    });
    await fc.assert(property, { numRuns: 15 });
  });
});

async function expectToAddUp(userId: UserId): Promise<void> {
  const history = await historyOf(userId);
  const sum = { available: 0n, reserved: 0n };
  for (const [index, row] of history.entries()) {
    sum.available += parseUnits(row.availableChange);
    sum.reserved += parseUnits(row.reservedChange);
    expect([parseUnits(row.availableAfter), parseUnits(row.reservedAfter)]).toEqual([sum.available, sum.reserved]);
    expect(row.balanceAfter).toBe(row.availableAfter);
    const isLastOfMoment = history[index + 1]?.createdAt !== row.createdAt;
    const then = isLastOfMoment ? await balanceOf(userId, row.createdAt as Balance['updatedAt']) : undefined;
    if (isLastOfMoment) expect(then).toMatchObject({ availableUnits: sum.available, reservedUnits: sum.reserved });
  }
  expect(await balanceOf(userId)).toMatchObject({ availableUnits: sum.available, reservedUnits: sum.reserved });
}

describe('the statements of consecutive periods', () => {
  it('join, add up to the balance at each end, and once complete never change, also if the clock of a replica is late', async () => {
    const plan = fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 10, maxLength: 40 });
    const property = fc.asyncProperty(plan, fc.integer({ min: 1, max: 9 }), async (seeds, parts) => {
      const userId = await aUserId();
      const instructions = seeds.flatMap((seed) => fc.sample(anyInstruction(userId), { seed, numRuns: 1 }));
      let from = toInstant(clock.epochMs() - 2 * hourMs);
      const statements: StatementPage[] = [];
      for (let part = 0; part < parts; part += 1) {
        const [first, end] = [part, part + 1].map((index) => Math.round((index * instructions.length) / parts));
        await post(instructions.slice(first, end));
        const to = clock.now();
        statements.push(await statementOf(userId, from, to));
        from = to;
      }
      await expectToJoin(userId, statements);
    });
    await fc.assert(property, { numRuns: 10, endOnFailure: true });
  });
});

const lineMax = 1_000;

async function statementOf(userId: UserId, from: Instant, to: Instant): Promise<StatementPage> {
  const deps = { statements: statementStore(database) } as unknown as Deps;
  const ctx = { caller, at: clock.now() } as unknown as Context;
  return getStatement(deps, { userId, currency: 'USD', from, to, limit: lineMax }, ctx);
}

async function expectToJoin(userId: UserId, statements: readonly StatementPage[]): Promise<void> {
  let balance = { availableUnits: 0n, reservedUnits: 0n };
  for (const statement of statements) {
    const { period, sums, page, isComplete } = statement;
    expect([isComplete, sums.opening]).toEqual([true, balance]);
    for (const line of page.items) {
      balance = {
        availableUnits: balance.availableUnits + line.availableChangeUnits,
        reservedUnits: balance.reservedUnits + line.reservedChangeUnits,
      };
      expect(line).toMatchObject(balance);
      expect(line.at > period.from && line.at <= period.to).toBe(true);
    }
    const changes = page.items.map((line) => line.availableChangeUnits + line.reservedChangeUnits);
    const sumOf = (units: readonly bigint[]): bigint => units.reduce((sum, each) => sum + each, 0n);
    expect([sums.inUnits, -sums.outUnits]).toEqual([
      sumOf(changes.filter((units) => units > 0n)),
      sumOf(changes.filter((units) => units < 0n)),
    ]);
    expect(sums.closing).toEqual(balance);
    expect(await balanceOf(userId, period.to)).toMatchObject(balance);
    expect(await statementOf(userId, period.from, period.to)).toEqual(statement);
  }
  expect(await balanceOf(userId)).toMatchObject(balance);
}

describe('the transactions of a person', () => {
  it('are neither lost nor repeated over the pages while others are posted, and add up to the balances', async () => {
    const seed = fc.integer({ min: 0, max: 1_000_000 });
    const plan = fc.array(fc.tuple(seed, fc.constantFrom(...currencies)), { minLength: 20, maxLength: 60 });
    const pages = fc.record({ limit: fc.integer({ min: 1, max: 9 }), currency: fc.constantFrom(...currencies) });
    const property = fc.asyncProperty(plan, fc.infiniteStream(pages), async (planned, wanted) => {
      const userId = await aUserId();
      const instructions = planned.flatMap(([seed, of]) => fc.sample(anyInstruction(userId, of), { seed, numRuns: 1 }));
      const progress = { isDone: false };
      const posting = post(instructions).finally(() => (progress.isDone = true));
      const readings: (readonly AccountTransaction[])[] = [];
      while (!progress.isDone) readings.push(await readPages(userId, wanted.next().value));
      await posting;
      readings.push(await readPages(userId, wanted.next().value));
      await expectToBeMoments(userId, readings);
    });
    // Without shrinking: what is posted at once is decided in another order each time.
    await fc.assert(property, { numRuns: 12, endOnFailure: true });
  });
});

type WantedPages = { readonly limit: number; readonly currency: Currency };

/** Reads the first page, and the others with its `asOf`. */
async function readPages(userId: UserId, { limit, currency }: WantedPages): Promise<readonly AccountTransaction[]> {
  const list = (wanted: { readonly page: number; readonly asOf?: string; readonly currency?: Currency }) =>
    listAccountTransactions({ accountHistory: personHistory }, { userId, limit, ...wanted }, { caller });
  const { items: first, total, asOf } = await list({ page: 1 });
  const items = [...first];
  for (let page = 2; page <= Math.ceil(total / limit) + 1; page += 1) {
    const next = await list({ page, asOf });
    expect([next.total, next.asOf]).toEqual([total, asOf]);
    items.push(...next.items);
  }
  expect(items).toHaveLength(total);
  const ofCurrency = await list({ page: 1, asOf, currency });
  expect(ofCurrency.items).toEqual(items.filter((item) => item.currency === currency).slice(0, limit));
  return items;
}

/** Each reading is newest first and has, per currency, the changes of the balance up to a moment; the last one has all of them. */
async function expectToBeMoments(userId: UserId, readings: readonly (readonly AccountTransaction[])[]): Promise<void> {
  for (const items of readings) {
    const times = items.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  }
  for (const currency of currencies) {
    const changes = (await historyOf(userId, currency)).filter((row) => changeOf(row) !== 0n);
    const expected = changes.map((row) => ({ id: row.id, changeUnits: changeOf(row) }));
    const found = readings.map((items) => items.filter((item) => item.currency === currency).reverse());
    for (const items of found) {
      expect(items.map(({ id, changeUnits }) => ({ id, changeUnits }))).toEqual(expected.slice(0, items.length));
      const [last, sum] = [changes[items.length - 1], items.reduce((total, { changeUnits }) => total + changeUnits, 0n)];
      expect(sum).toBe(last === undefined ? 0n : parseUnits(last.availableAfter) + parseUnits(last.reservedAfter));
    }
    const counts = found.map((items) => items.length);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts.at(-1)).toBe(changes.length);
  }
}

function changeOf({ availableChange, reservedChange }: BalanceTransaction): bigint {
  return parseUnits(availableChange) + parseUnits(reservedChange);
}
