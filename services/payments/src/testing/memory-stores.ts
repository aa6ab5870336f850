import { AppError } from '@holdfast/kernel/errors';
import { toEpochMs, toInstant, type Clock, type Instant } from '@holdfast/kernel/context';
import type { MarketplaceId, UserId } from '@holdfast/kernel/ids';
import type { Currency } from '@holdfast/kernel/money';
import { backoffMs, listNewest, type MemoryTables } from '@holdfast/testing/memory';
import type { Case } from '../domain/case.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { Deps } from '../use-cases/ports.js';
import type { Holds, WithdrawalHold } from '../use-cases/hold-ports.js';
import { by, isOpenTopup, isOpenWithdrawal, type PaymentTables } from './memory-rows.js';

type Tables = MemoryTables<PaymentTables>;

/** The comparison of books and statements is SQL, and is tested on Postgres. */
export function notInMemory(name: string): () => never {
  return () => {
    throw new Error(`${name} is not in memory.`);
  };
}

/** Rows of one user that one request refreshes. */
const ofUserMax = 20;
const returnEveryMs = 5_000;
const pollFirstMs = 5_000;
const pollMaxMs = 3_600_000;

export function memoryTopups({ committed, inTransaction }: Tables, clock: Clock): Deps['topups'] {
  const all = (): readonly Topup[] => [...committed().topups.values()];
  const ofUser = (marketplaceId: MarketplaceId, userId: UserId): readonly Topup[] =>
    all().filter((topup) => topup.marketplaceId === marketplaceId && topup.userId === userId);
  return {
    find: async (marketplaceId, id) => all().find((topup) => topup.id === id && topup.marketplaceId === marketplaceId),
    findByCodeOrPayin: async (code, payinId) =>
      all().find(({ id }) => id === code) ?? all().find(({ providerPayinId }) => payinId !== null && providerPayinId === payinId),
    takeReturn: (id) =>
      inTransaction(({ tables: { topups, returns } }) => {
        const isTaken = (returns.get(id) ?? -Infinity) > clock.epochMs() - returnEveryMs;
        if (isTaken || !topups.has(id)) return false;
        returns.set(id, clock.epochMs());
        return true;
      }),
    takeDue: (limitMax) =>
      inTransaction(({ tables: { topups } }) =>
        take(topups, { clock, limitMax, dueAt: ({ nextPollAt }) => nextPollAt, next: (topup) => nextPoll(clock, topup) }),
      ),
    findOpenOfUser: async (marketplaceId, userId) =>
      newestFirst(ofUser(marketplaceId, userId).filter(isOpenTopup)).slice(0, ofUserMax),
    takeUnconfirmed: (limitMax, readAgainMs) =>
      inTransaction(({ tables: { topups } }) => {
        const next = () => ({ nextConfirmationAt: toInstant(clock.epochMs() + readAgainMs) });
        return take(topups, { clock, limitMax, dueAt: ({ nextConfirmationAt }) => nextConfirmationAt, next });
      }),
    findUnconfirmedOfUser: async (marketplaceId, userId) =>
      ofUser(marketplaceId, userId)
        .filter(({ unconfirmedSince }) => unconfirmedSince !== null)
        .toSorted(by(({ unconfirmedSince }) => unconfirmedSince ?? ''))
        .slice(0, ofUserMax),
    list: async (marketplaceId, filter) => {
      const rows = all().filter((topup) => topup.marketplaceId === marketplaceId);
      const matches = (topup: Topup): boolean => isSame(topup.userId, filter.userId) && isSame(topup.status, filter.status);
      return listNewest({ rows, matches, keyOf: (topup) => topup }, filter);
    },
  };
}

export function memoryWithdrawals({ committed, inTransaction }: Tables, clock: Clock): Deps['withdrawals'] {
  const all = (): readonly Withdrawal[] => [...committed().withdrawals.values()];
  const visibleOf = (marketplaceId: MarketplaceId): readonly Withdrawal[] =>
    all().filter((withdrawal) => withdrawal.marketplaceId === marketplaceId && withdrawal.reservedAt !== null);
  const toLedger = (): readonly Withdrawal[] => all().filter(({ destinationType }) => destinationType === 'ledger');
  const isRecent = ({ completedAt }: Withdrawal): boolean =>
    completedAt !== null && toEpochMs(completedAt) > clock.epochMs() - 60_000;
  return {
    find: async (marketplaceId, id) => visibleOf(marketplaceId).find((withdrawal) => withdrawal.id === id),
    findByCodeOrPayout: async (code, payoutId) =>
      all().find(({ id }) => id === code) ??
      all().find(({ providerPayoutId }) => payoutId !== null && providerPayoutId === payoutId),
    findOpenTo: async (address, units) =>
      toLedger().filter((each) => each.destinationRef === address && each.amount.units === units && isOpenWithdrawal(each)),
    takeDue: (limitMax) =>
      inTransaction(({ tables: { withdrawals } }) =>
        take(withdrawals, { clock, limitMax, dueAt: ({ nextPollAt }) => nextPollAt, next: (each) => nextPoll(clock, each) }),
      ),
    findLeaving: async () => toLedger().filter((each) => each.committedAt !== null && isOpenWithdrawal(each)),
    findJustLeft: async () => toLedger().filter((each) => each.status === 'WITHDRAWAL_COMPLETED' && isRecent(each)),
    findOpenOfUser: async (marketplaceId, userId) => {
      const open = visibleOf(marketplaceId).filter((each) => each.userId === userId && isOpenWithdrawal(each));
      return newestFirst(open).slice(0, ofUserMax);
    },
    list: async (marketplaceId, filter) => {
      const matches = (each: Withdrawal): boolean => isSame(each.userId, filter.userId) && isSame(each.status, filter.status);
      return listNewest({ rows: visibleOf(marketplaceId), matches, keyOf: (withdrawal) => withdrawal }, filter);
    },
  };
}

export function memoryCases({ committed }: Tables): Deps['cases'] {
  const all = (): readonly Case[] => [...committed().cases.values()];
  const unitsOf = (cases: readonly Case[]): ReadonlyMap<Currency, bigint> => {
    const units = new Map<Currency, bigint>();
    for (const { amount } of cases) units.set(amount.currency, (units.get(amount.currency) ?? 0n) + amount.units);
    return units;
  };
  const isAccepted = ({ source, status, resolution, sourceId }: Case): boolean =>
    source === 'solvency' && status === 'RESOLVED' && resolution?.action === 'write_off' && sourceId.startsWith('unexplained:');
  const isOpenDifference = ({ kind, source, status, resolution, activeRun }: Case): boolean =>
    kind === 'unexplained_difference' &&
    ['ledger_network', 'solvency'].includes(source) &&
    status === 'OPEN' &&
    resolution === null &&
    activeRun === null;
  return {
    find: async (marketplaceId, id) => all().find((found) => found.id === id && found.marketplaceId === marketplaceId),
    list: async (marketplaceId, filter) => {
      const isListed = (found: Case): boolean =>
        found.marketplaceId === marketplaceId && (filter.hasUser !== true || found.userId !== null);
      const matches = ({ userId, status, kind }: Case): boolean =>
        isSame(userId, filter.userId) && isSame(status, filter.status) && isSame(kind, filter.kind);
      return listNewest({ rows: all().filter(isListed), matches, keyOf: (found) => found }, filter);
    },
    marketplaceOfUser: async (userId) => committed().users.get(userId)?.marketplaceId,
    bookedDeposits: async () => unitsOf(all().filter(({ origin, bookedAt }) => origin === 'deposits' && bookedAt !== null)),
    unbookedDeposits: async () => all().filter(({ origin, bookedAt }) => origin === 'deposits' && bookedAt === null),
    acceptedDifferences: async () => unitsOf(all().filter(isAccepted)),
    openDifferences: async () => all().filter(isOpenDifference),
    countUnresolved: async () => {
      const unresolved = all().filter(({ status }) => status !== 'RESOLVED');
      const currencies = new Set(unresolved.map(({ amount }) => amount.currency));
      const countOf = (currency: Currency) => unresolved.filter(({ amount }) => amount.currency === currency).length;
      return [...currencies].map((currency) => ({ currency, count: countOf(currency) }));
    },
  };
}

export function memoryHolds({ committed }: Tables): Holds {
  return {
    find: async (marketplaceId, userId) => holdOf(committed(), marketplaceId, userId),
    assertNone: async (marketplaceId, userId) => {
      if (holdOf(committed(), marketplaceId, userId) === undefined) return;
      throw Object.assign(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }), { name: 'IntentPaused' });
    },
  };
}

/** The case comes before pay-ins that are still read at the provider. */
export function holdOf(
  { cases, topups }: PaymentTables,
  marketplaceId: MarketplaceId,
  userId: UserId,
): WithdrawalHold | undefined {
  const isOfUser = (row: { readonly marketplaceId: string; readonly userId: string | null }): boolean =>
    row.marketplaceId === marketplaceId && row.userId === userId;
  const holding = [...cases.values()].find(
    (found) => isOfUser(found) && found.kind === 'unconfirmed_payment' && found.status !== 'RESOLVED',
  );
  if (holding !== undefined) return { caseId: holding.id };
  const isRead = [...topups.values()].some((topup) => isOfUser(topup) && topup.unconfirmedSince !== null);
  return isRead ? { caseId: null } : undefined;
}

type Taking<Row> = {
  readonly clock: Clock;
  readonly limitMax: number;
  readonly dueAt: (row: Row) => Instant | null;
  readonly next: (row: Row) => Partial<Row>;
};

/** Takes due rows, longest due first, and sets when they are due again. */
function take<Row extends { readonly id: string }>(rows: Map<string, Row>, { clock, limitMax, dueAt, next }: Taking<Row>) {
  const due = [...rows.values()]
    .filter((row) => (dueAt(row) ?? '~') <= clock.now())
    .toSorted(by((row) => dueAt(row) ?? ''))
    .slice(0, limitMax)
    .map((row) => ({ ...row, ...next(row) }));
  for (const row of due) rows.set(row.id, row);
  return due;
}

function nextPoll(clock: Clock, { polls }: Pick<Topup, 'polls'>): Pick<Topup, 'polls' | 'nextPollAt'> {
  return { polls: polls + 1, nextPollAt: toInstant(clock.epochMs() + backoffMs(polls, pollFirstMs, pollMaxMs)) };
}

function newestFirst<Row extends { readonly createdAt: string; readonly id: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted(by(({ createdAt, id }) => `${createdAt} ${id}`)).toReversed();
}

function isSame(value: string | null, wanted: string | undefined): boolean {
  return wanted === undefined || value === wanted;
}
