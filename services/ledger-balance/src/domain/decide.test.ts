import fc from 'fast-check';
import { AppError } from '@holdfast/kernel/errors';
import type { ReservationId } from '@holdfast/kernel/ids';
import { balanceUnitsMax, money } from '@holdfast/kernel/money';
import { aBook, anEscrow, anOrderId, anotherUserId, aReservation, aUser, aUserId } from '../testing/books.js';
import { accountKey, escrowAccount, externalAccount, isShared, suspenseAccount, userAccount } from './accounts.js';
import { decide } from './decide.js';
import { applyChanges, noChanges, type Book, type BookChanges } from './book-changes.js';
import type { Instruction as AnyInstruction, Refuse } from './instructions.js';
import { forOrderOrManual, byManualRequest, forOrder, forWithdrawal } from './reservations.js';

type Instruction = Exclude<AnyInstruction, Refuse>;

const usd = (units: bigint) => money(units, 'USD');
let reservations = 0;
const newReservationId = (): ReservationId => `res_${String((reservations += 1)).padStart(6, '0')}`;
const decided = (book: Book, instruction: Instruction): BookChanges => decide(book, instruction, newReservationId);

const credit = (units: bigint): Instruction => ({
  does: 'credit',
  userId: aUserId,
  amount: usd(units),
  from: externalAccount('manual', 'USD'),
  source: 'manual',
});
const debit = (units: bigint): Instruction => ({
  does: 'debit',
  userId: aUserId,
  amount: usd(units),
  to: externalAccount('manual', 'USD'),
  destination: 'manual',
});
const reserve = (units: bigint, reservedFor = byManualRequest): Instruction => ({
  does: 'reserve',
  userId: aUserId,
  amount: usd(units),
  reservedFor,
});
const free = (units: bigint, reservedFor = byManualRequest): Instruction => ({
  does: 'free',
  userId: aUserId,
  amount: usd(units),
  reservedFor,
  reason: 'test',
  exceeded: 'RESERVATION_EXCEEDED',
});
const freeAll = (reservedFor = byManualRequest, whenNothing: 'refuse' | 'accept' = 'refuse'): Instruction => ({
  does: 'free-all',
  userId: aUserId,
  currency: 'USD',
  reservedFor,
  reason: 'test',
  whenNothing,
});
const deduct = (units: bigint, reservedFor = byManualRequest, to = externalAccount('manual', 'USD')): Instruction => ({
  does: 'deduct',
  userId: aUserId,
  amount: usd(units),
  reservedFor,
  to,
  reason: 'test',
  exceeded: 'INVALID_RESERVED_DEDUCTION',
});

function refusalOf(act: () => unknown): AppError {
  try {
    act();
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('deciding', () => {
  it('credits from an external account and reports the balances before and after', () => {
    const user = aUser({ availableUnits: 5n, version: 7 });
    const { accounts, balanceChanges, transfers } = decided(aBook([user]), credit(10n));
    expect(accounts).toEqual([{ ...user, availableUnits: 15n, version: 8 }]);
    expect(balanceChanges).toEqual([
      expect.objectContaining({ kind: 'credited', units: 10n, before: user, counterpart: 'manual' }),
    ]);
    expect(transfers[0]).toMatchObject({ user: { availableUnits: 15n } });
  });

  it('refuses a credit that exceeds the balance limit', () => {
    const user = aUser({ availableUnits: balanceUnitsMax - 5n, reservedUnits: 0n });
    expect(decided(aBook([user]), credit(5n)).accounts[0]?.availableUnits).toBe(balanceUnitsMax);
    expect(refusalOf(() => decided(aBook([user]), credit(6n))).code).toBe('LIMIT_EXCEEDED');
  });

  it('credits a deposit beyond the balance limit, because the money is there already', () => {
    const user = aUser({ availableUnits: balanceUnitsMax });
    const deposit: Instruction = {
      does: 'credit',
      userId: aUserId,
      amount: usd(6n),
      from: externalAccount('deposits', 'USD'),
      source: 'ledger_deposit',
      isReceived: true,
    };
    expect(decided(aBook([user]), deposit).accounts[0]?.availableUnits).toBe(balanceUnitsMax + 6n);
  });

  it('refuses to debit or reserve more than is available', () => {
    const book = aBook([aUser({ availableUnits: 10_000_000n, reservedUnits: 90_000_000n })]);
    for (const instruction of [debit(10_000_001n), reserve(10_000_001n)]) {
      const refusal = refusalOf(() => decided(book, instruction));
      expect(refusal.code).toBe('INSUFFICIENT_FUNDS');
      expect(refusal.details).toEqual({ requested: '1.0000001', available: '1.00', currency: 'USD' });
    }
  });

  it('credits and debits a suspended user, but refuses to reserve', () => {
    const book = aBook([aUser({ availableUnits: 10n, isSuspended: true })]);
    expect(decided(book, credit(1n)).transfers).toHaveLength(1);
    expect(decided(book, debit(1n)).transfers).toHaveLength(1);
    expect(refusalOf(() => decided(book, reserve(1n))).code).toBe('USER_NOT_ACTIVE');
  });

  it('releases its own reservations only, oldest first', () => {
    const user = aUser({ reservedUnits: 18n });
    const [first, second] = [3n, 5n].map((activeUnits) =>
      aReservation({ accountId: user.id, activeUnits, reservedFor: forOrder(anOrderId) }),
    );
    const manual = aReservation({ accountId: user.id, activeUnits: 10n });
    if (first === undefined || second === undefined) throw new Error('two reservations were made');
    const book = aBook([user], [first, second, manual]);
    expect(decided(book, free(4n, forOrder(anOrderId))).reservations).toEqual([
      { ...first, activeUnits: 0n },
      { ...second, activeUnits: 4n },
    ]);
    expect(refusalOf(() => decided(book, free(9n, forOrder(anOrderId)))).code).toBe('RESERVATION_EXCEEDED');
    expect(refusalOf(() => decided(book, deduct(11n))).code).toBe('INVALID_RESERVED_DEDUCTION');
  });

  it('releases and deducts the reservation of a withdrawal only for that withdrawal', () => {
    const user = aUser({ reservedUnits: 5n });
    const book = aBook([user], [aReservation({ accountId: user.id, activeUnits: 5n, reservedFor: forWithdrawal('wd_1') })]);
    for (const reservedFor of [forOrderOrManual(undefined), forOrderOrManual('wd_1'), forOrderOrManual(anOrderId)]) {
      expect(refusalOf(() => decided(book, free(1n, reservedFor))).code).toBe('RESERVATION_EXCEEDED');
      expect(refusalOf(() => decided(book, deduct(1n, reservedFor))).code).toBe('INVALID_RESERVED_DEDUCTION');
    }
    expect(decided(book, free(5n, forWithdrawal('wd_1'))).accounts[0]).toMatchObject({
      availableUnits: 5n,
      reservedUnits: 0n,
    });
  });

  it('releases all reservations of an order; without any it refuses or accepts, as the instruction says', () => {
    const user = aUser({ reservedUnits: 8n });
    const orderReservations = [3n, 5n].map((activeUnits) =>
      aReservation({ accountId: user.id, activeUnits, reservedFor: forOrder(anOrderId) }),
    );
    expect(decided(aBook([user], orderReservations), freeAll(forOrder(anOrderId))).accounts[0]).toMatchObject({
      availableUnits: 8n,
      reservedUnits: 0n,
    });
    expect(refusalOf(() => decided(aBook([user]), freeAll(forOrder(anOrderId)))).code).toBe('RESERVATION_NOT_FOUND');
    expect(decided(aBook([user]), freeAll(forOrder(anOrderId), 'accept'))).toEqual({
      transfers: [],
      accounts: [],
      reservations: [],
      balanceChanges: [],
    });
  });

  it('moves reserved funds into escrow and back again', () => {
    const user = aUser({ reservedUnits: 100n });
    const book = aBook(
      [user, anEscrow(0n)],
      [aReservation({ accountId: user.id, activeUnits: 100n, reservedFor: forOrder(anOrderId) })],
    );
    applyChanges(book, decided(book, deduct(100n, forOrder(anOrderId), escrowAccount(anOrderId, 'USD'))));
    expect(book.accounts.get(accountKey(escrowAccount(anOrderId, 'USD')))?.availableUnits).toBe(100n);

    const restore: Instruction = {
      does: 'restore',
      userId: aUserId,
      orderId: anOrderId,
      amount: usd(100n),
      reservedFor: forOrder(anOrderId),
    };
    applyChanges(book, decided(book, restore));
    expect(book.accounts.get(accountKey(userAccount(aUserId, 'USD')))).toMatchObject({ availableUnits: 0n, reservedUnits: 100n });
    expect(() => decided(book, restore)).toThrow(
      expect.objectContaining({ code: 'INVALID_STATE', details: { held: '0.00', requested: expect.any(String) } }),
    );
  });

  it('pays an escrow out to seller, buyer and fee account, without transfers of zero', () => {
    const book = aBook([aUser(), aUser({ owner: anotherUserId }), anEscrow(100n)]);
    const settle = (seller: bigint, buyer: bigint, fee: bigint): Instruction => ({
      does: 'settle',
      orderId: anOrderId,
      fee: usd(fee),
      payouts: [
        { userId: aUserId, amount: usd(seller), source: 'dispute_split' },
        { userId: anotherUserId, amount: usd(buyer), source: 'dispute_split' },
      ],
    });
    expect(decided(book, settle(57n, 40n, 3n)).balanceChanges.map(({ after, units }) => [after.owner, units])).toEqual([
      [aUserId, 57n],
      [anotherUserId, 40n],
    ]);
    expect(decided(book, settle(97n, 0n, 3n)).balanceChanges).toHaveLength(1);
    expect(() => decided(book, settle(98n, 0n, 3n))).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
  });

  it('moves money between shared accounts in both directions, and nothing for zero', () => {
    const [payins, suspense] = [externalAccount('payins', 'USD'), suspenseAccount('USD')];
    const move = (units: bigint): Instruction => ({ does: 'move', from: payins, to: suspense, amount: usd(units) });
    const legsOf = (units: bigint) =>
      decided(aBook([]), move(units)).transfers.flatMap(({ legs }) => legs.map(({ account, units: moved }) => [account, moved]));
    expect(legsOf(7n)).toEqual([
      [payins, -7n],
      [suspense, 7n],
    ]);
    expect(legsOf(-7n)).toEqual([
      [payins, 7n],
      [suspense, -7n],
    ]);
    expect(decided(aBook([]), move(0n))).toEqual(noChanges);
  });

  it('takes what an escrow lacks from the adjustments, if an operator has decided so', () => {
    const book = aBook([aUser(), anEscrow(60n)]);
    const settle = (isCorrection: boolean): Instruction => ({
      does: 'settle',
      orderId: anOrderId,
      fee: usd(5n),
      payouts: [{ userId: aUserId, amount: usd(95n), source: 'settlement_corrected' }],
      isCorrection,
    });
    expect(() => decided(book, settle(false))).toThrow(expect.objectContaining({ code: 'INVALID_STATE' }));
    const { transfers, accounts } = decided(book, settle(true));
    const legs = transfers.flatMap((transfer) => transfer.legs.map(({ account, units }) => [account.owner, units]));
    expect(legs).toEqual([
      ['adjustments', -40n],
      [anOrderId, 40n],
      [anOrderId, -5n],
      ['fees', 5n],
      [anOrderId, -95n],
      [aUserId, 95n],
    ]);
    expect(accounts.map(({ owner, availableUnits }) => [owner, availableUnits])).toEqual([
      [anOrderId, 0n],
      [aUserId, 95n],
    ]);
    const rich = decided(aBook([aUser(), anEscrow(100n)]), settle(true));
    expect(rich.transfers).toHaveLength(2);
  });

  it('keeps all sums consistent over any sequence of instructions', () => {
    const reservedFor = fc.constantFrom(byManualRequest, forOrder(anOrderId));
    const units = fc.bigInt({ min: 1n, max: 50n });
    const instruction = fc.oneof(
      units.map(credit),
      units.map(debit),
      fc.tuple(units, reservedFor).map(([n, h]) => reserve(n, h)),
      fc.tuple(units, reservedFor).map(([n, h]) => free(n, h)),
      fc.tuple(units, reservedFor).map(([n, h]) => deduct(n, h)),
      units.map((n) => deduct(n, forOrder(anOrderId), escrowAccount(anOrderId, 'USD'))),
      reservedFor.map((h) => freeAll(h)),
    );
    fc.assert(
      fc.property(fc.array(instruction, { maxLength: 60 }), (instructions) => {
        const book = aBook([aUser(), anEscrow(0n)]);
        const outside = { units: 0n };
        instructions.forEach((next) => {
          step(book, next, outside);
        });
        const accounts = [...book.accounts.values()];
        const reserved = [...book.reservations.values()].flat().reduce((sum, { activeUnits }) => sum + activeUnits, 0n);
        const inside = accounts.reduce((sum, { availableUnits, reservedUnits }) => sum + availableUnits + reservedUnits, 0n);
        expect(inside + outside.units).toBe(0n);
        expect(accounts.every(({ availableUnits, reservedUnits }) => availableUnits >= 0n && reservedUnits >= 0n)).toBe(true);
        expect(reserved).toBe(book.accounts.get(accountKey(userAccount(aUserId, 'USD')))?.reservedUnits);
      }),
    );
  });
});

function step(book: ReturnType<typeof aBook>, instruction: Instruction, outside: { units: bigint }): void {
  try {
    const changes = decided(book, instruction);
    for (const { legs } of changes.transfers) {
      expect(legs.reduce((sum, leg) => sum + leg.units, 0n)).toBe(0n);
      outside.units += legs.filter(({ account }) => isShared(account)).reduce((sum, leg) => sum + leg.units, 0n);
    }
    applyChanges(book, changes);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
  }
}
