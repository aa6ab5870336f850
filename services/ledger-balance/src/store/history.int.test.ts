import fc from 'fast-check';
import type { BalanceTransaction } from '@holdfast/contracts/http';
import { systemClock, toInstant, type Clock } from '@holdfast/kernel/context';
import { defaultMarketplaceId, idFactory, type UserId } from '@holdfast/kernel/ids';
import { money, parseUnits } from '@holdfast/kernel/money';
import type { Database } from '@holdfast/postgres';
import { testDatabase, type TestDatabase } from '@holdfast/testing/postgres';
import { serverStartTimeoutMs } from '@holdfast/testing/servers';
import { escrowAccount, externalAccount } from '../domain/accounts.js';
import type { Instruction } from '../domain/instructions.js';
import { manualHold, orderHold, withdrawalHold, type Hold } from '../domain/reservations.js';
import { aPoster } from '../testing/a-poster.js';
import { ledgerTables } from '../testing/running-ledger.js';
import type { Balance, BalanceReader } from '../use-cases/ports.js';
import { balanceStore } from './balance-store.js';
import type { Poster } from './poster.js';

const clock = systemClock();
const newId = idFactory(clock.epochMs);
const hourMs = 3_600_000;
const lateClock: Clock = { now: () => toInstant(clock.epochMs() - hourMs), epochMs: () => clock.epochMs() - hourMs };
const concurrent = 5;
const pageSize = 7;

let server: TestDatabase;
let database: Database;
let balances: BalanceReader;
/** The clock of the second one is an hour behind. */
let replicas: readonly [Poster, Poster];

beforeAll(async () => {
  server = await testDatabase();
  database = await server.open(ledgerTables);
  balances = balanceStore(database);
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
function anyInstruction(userId: UserId): fc.Arbitrary<Instruction> {
  const orderId = `ord_${userId.slice(4)}`;
  const outside = externalAccount('manual', 'USD');
  const ofUser = fc.bigInt({ min: 1n, max: 90n }).map((units) => ({ userId, amount: money(units, 'USD') }));
  const hold = fc.constantFrom<Hold>(manualHold, orderHold(orderId), withdrawalHold('wd_1'));
  const held = fc.tuple(ofUser, hold).map(([amount, of]) => ({ ...amount, hold: of, reason: 'test' }));
  return fc.oneof(
    ofUser.map((amount): Instruction => ({ does: 'credit', ...amount, from: outside, source: 'test' })),
    ofUser.map((amount): Instruction => ({ does: 'debit', ...amount, to: outside, destination: 'test' })),
    held.map((part): Instruction => ({ does: 'reserve', ...part })),
    held.map((part): Instruction => ({ does: 'release', ...part, exceeded: 'RESERVATION_EXCEEDED' })),
    held.map((part): Instruction => ({ does: 'deduct', ...part, to: outside, exceeded: 'RESERVE_NOT_FOUND' })),
    held.map((part): Instruction => {
      return { does: 'deduct', ...part, to: escrowAccount(orderId, 'USD'), exceeded: 'RESERVE_NOT_FOUND' };
    }),
    hold.map((of): Instruction => {
      return { does: 'release-all', userId, currency: 'USD', hold: of, reason: 'test', whenNothing: 'refuse' };
    }),
    ofUser.map((amount): Instruction => ({ does: 'restore', ...amount, orderId, hold: orderHold(orderId) })),
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
async function historyOf(userId: UserId): Promise<readonly BalanceTransaction[]> {
  const items: BalanceTransaction[] = [];
  for (;;) {
    const cursor = items.at(-1)?.id;
    const page = await balances.history(userId, {
      currency: 'USD',
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
  }, 60_000);
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
