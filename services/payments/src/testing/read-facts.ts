import { money } from '@holdfast/kernel/money';
import type { PageFilter } from '@holdfast/kernel/pages';
import type { ReconciliationReportRecord } from '@holdfast/contracts/http';
import type { SagaOutcome } from '@holdfast/sagas';
import {
  insertCase,
  insertTopup,
  insertWithdrawal,
  marketplaceId,
  minutes,
  other,
  type PortFacts,
  type PortsUnderTest,
} from './ports-under-test.js';

const idsOf = (rows: readonly { readonly id: string }[] | undefined) => rows?.map(({ id }) => id);

/** Asserts that a list of three rows, oldest first, has pages, times and cursors. */
async function assertPages(ids: readonly string[], list: (filter: PageFilter) => Promise<readonly { id: string }[] | undefined>) {
  const newestFirst = ids.toReversed();
  expect(idsOf(await list({ limit: 2 }))).toEqual(newestFirst);
  expect(idsOf(await list({ limit: 1 }))).toEqual(newestFirst.slice(0, 2));
  expect(idsOf(await list({ limit: 1, cursor: newestFirst[0] }))).toEqual(newestFirst.slice(1));
  expect(idsOf(await list({ limit: 5, createdAfter: minutes(1), createdBefore: minutes(3) }))).toEqual([ids[1]]);
  expect(await list({ limit: 5, cursor: 'unknown' })).toBeUndefined();
}

const due = (ports: PortsUnderTest) => ({ nextPollAt: ports.now(), polls: 6 });

export const readFacts: PortFacts = {
  'a top-up is read as it was written, within its marketplace, and found by code or pay-in in all': async (ports) => {
    const providerPayinId = ports.newId('evt');
    const topup = await insertTopup(ports, {
      providerPayinId,
      confirmationUri: 'https://a.example',
      cancelRequest: { actor: { type: 'api_key', id: 'key_1' }, canceledBy: 'ada', reason: null },
      activeRun: { runId: 'run_1', saga: 'top-up', actor: { type: 'api_key', id: 'key_1' }, startedAt: minutes(0) },
    });
    const { find, findByCodeOrPayin } = ports.topups;
    expect([await find(marketplaceId, topup.id), await find(other, topup.id)]).toEqual([topup, undefined]);
    const another = await insertTopup(ports);
    expect(await findByCodeOrPayin(null, providerPayinId)).toEqual(topup);
    expect(await findByCodeOrPayin(another.id, providerPayinId)).toEqual(another);
    expect(await findByCodeOrPayin('nothing', null)).toBeUndefined();
  },

  'a withdrawal is visible once its amount is reserved': async (ports) => {
    const providerPayoutId = ports.newId('evt');
    const hidden = await insertWithdrawal(ports, { reservedAt: null, providerPayoutId });
    const visible = await insertWithdrawal(ports, {
      userId: hidden.userId,
      outcome: { move: 'complete', completedAt: minutes(2) },
    });
    const { find, findByCodeOrPayout, findOpenOfUser, list } = ports.withdrawals;
    expect([await find(marketplaceId, hidden.id), await find(marketplaceId, visible.id)]).toEqual([undefined, visible]);
    expect(await find(other, visible.id)).toBeUndefined();
    expect(await findByCodeOrPayout(null, providerPayoutId)).toEqual(hidden);
    expect(idsOf(await findOpenOfUser(marketplaceId, hidden.userId))).toEqual([visible.id]);
    expect(idsOf(await list(marketplaceId, { limit: 5, userId: hidden.userId }))).toEqual([visible.id]);
  },

  'lists are newest first, in pages, by user and status': async (ports) => {
    const userId = ports.newId('usr');
    const ids = { topups: [] as string[], withdrawals: [] as string[], cases: [] as string[] };
    for (const minute of [1, 2, 3]) {
      const given = { userId, createdAt: minutes(minute) };
      ids.topups.push((await insertTopup(ports, given)).id);
      ids.withdrawals.push((await insertWithdrawal(ports, given)).id);
      ids.cases.push((await insertCase(ports, given)).id);
    }
    const { topups, withdrawals, cases } = ports;
    await assertPages(ids.topups, (filter) => topups.list(marketplaceId, { ...filter, userId }));
    await assertPages(ids.withdrawals, (filter) => withdrawals.list(marketplaceId, { ...filter, userId }));
    await assertPages(ids.cases, (filter) => cases.list(marketplaceId, { ...filter, userId }));
    expect(await topups.list(marketplaceId, { limit: 5, userId, status: 'TOPUP_FAILED' })).toEqual([]);
    expect(await withdrawals.list(marketplaceId, { limit: 5, userId, status: 'WITHDRAWAL_FAILED' })).toEqual([]);
    expect(await cases.list(marketplaceId, { limit: 5, userId, status: 'RESOLVED' })).toEqual([]);
    expect(await cases.list(marketplaceId, { limit: 5, userId, kind: 'amount_mismatch' })).toEqual([]);
    expect(await topups.list(other, { limit: 5, userId })).toEqual([]);
    expect(await topups.list(other, { limit: 5, cursor: ids.topups[0] })).toBeUndefined();
  },

  'due rows are taken once, longest due first, with a back-off': async (ports) => {
    const userId = ports.newId('usr');
    const [topup, withdrawal] = [await insertTopup(ports, { userId, ...due(ports) }), await insertWithdrawal(ports, due(ports))];
    const takes = [
      [topup.id, () => ports.topups.takeDue(1_000)],
      [withdrawal.id, () => ports.withdrawals.takeDue(1_000)],
    ] as const;
    for (const [id, take] of takes) {
      const taken = async () => (await take()).find((row) => row.id === id)?.polls;
      await ports.pass(1_000);
      expect([await taken(), await taken()]).toEqual([7, undefined]);
      await ports.pass(320_000);
      expect([await taken(), await taken()]).toEqual([8, undefined]);
      await ports.pass(580_000);
      expect(await taken()).toBeUndefined();
      await ports.pass(60_000);
      expect(await taken()).toBe(9);
    }
  },

  'unconfirmed pay-ins are taken again after the given time, and hold the withdrawals of their user': async (ports) => {
    const unconfirmed = { unconfirmedSince: minutes(1), nextConfirmationAt: ports.now() };
    const topup = await insertTopup(ports, unconfirmed);
    const earlier = await insertTopup(ports, { userId: topup.userId, unconfirmedSince: minutes(0) });
    const { topups, holds } = ports;
    await ports.pass(1_000);
    const taken = async () => idsOf(await topups.takeUnconfirmed(1_000, 600_000))?.includes(topup.id);
    expect([await taken(), await taken()]).toEqual([true, false]);
    await ports.pass(600_000);
    expect(await taken()).toBe(true);
    expect(idsOf(await topups.findUnconfirmedOfUser(marketplaceId, topup.userId))).toEqual([earlier.id, topup.id]);
    expect(await holds.find(marketplaceId, topup.userId)).toEqual({ caseId: null });
    await expect(holds.assertNone(marketplaceId, topup.userId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    const { id: caseId } = await insertCase(ports, { userId: topup.userId, kind: 'unconfirmed_payment' });
    expect(await ports.inTransaction((tx) => tx.holds.find(marketplaceId, topup.userId))).toEqual({ caseId });
    expect(await holds.find(other, topup.userId)).toBeUndefined();
    await holds.assertNone(marketplaceId, ports.newId('usr'));
  },

  'open payments of a user are found newest first, at most twenty': async (ports) => {
    const userId = ports.newId('usr');
    const open: string[] = [];
    for (let index = 0; index < 21; index += 1) open.unshift((await insertTopup(ports, { userId })).id);
    await insertTopup(ports, { userId, status: 'TOPUP_FAILED' });
    expect(idsOf(await ports.topups.findOpenOfUser(marketplaceId, userId))).toEqual(open.slice(0, 20));
    expect(await ports.topups.findOpenOfUser(other, userId)).toEqual([]);
  },

  'a browser may return once in five seconds': async (ports) => {
    const { id } = await insertTopup(ports);
    const take = () => ports.topups.takeReturn(id);
    expect([await take(), await take(), await ports.topups.takeReturn('topup_none')]).toEqual([true, false, false]);
    await ports.pass(5_100);
    expect(await take()).toBe(true);
  },

  'withdrawals to the ledger network are found while they leave, and for a minute after': async (ports) => {
    const address = ports.newId('evt');
    const amount = money(70_000_000n, 'USDC');
    const toLedger = { destinationType: 'ledger', destinationRef: address, amount } as const;
    const created = await insertWithdrawal(ports, toLedger);
    const leaving = await insertWithdrawal(ports, { ...toLedger, status: 'WITHDRAWAL_COMMITTED', committedAt: minutes(1) });
    const completed = { status: 'WITHDRAWAL_COMPLETED', committedAt: minutes(1) } as const;
    const left = await insertWithdrawal(ports, { ...toLedger, ...completed, completedAt: ports.now() });
    await insertWithdrawal(ports, { ...toLedger, ...completed, completedAt: minutes(2) });
    const mine = new Set<string>([created.id, leaving.id, left.id]);
    const ours = (rows: readonly { readonly id: string }[]) =>
      rows
        .map(({ id }) => id)
        .filter((id) => mine.has(id))
        .toSorted();
    const { findOpenTo, findLeaving, findJustLeft } = ports.withdrawals;
    expect(ours(await findOpenTo(address, amount.units))).toEqual([created.id, leaving.id].toSorted());
    expect(await findOpenTo(address, 1n)).toEqual([]);
    expect([ours(await findLeaving()), ours(await findJustLeft())]).toEqual([[leaving.id], [left.id]]);
  },

  'cases are found within their marketplace, and their sums by currency': async (ports) => {
    const deposit = { origin: 'deposits', amount: money(30n, 'XLM') } as const;
    const [booked, unbooked] = [await insertCase(ports, { ...deposit, bookedAt: minutes(1) }), await insertCase(ports, deposit)];
    const { cases } = ports;
    expect([await cases.find(marketplaceId, booked.id), await cases.find(other, booked.id)]).toEqual([booked, undefined]);
    expect((await cases.bookedDeposits()).get('XLM')).toBe(30n);
    expect(idsOf(await cases.unbookedDeposits())).toEqual([unbooked.id]);
    const resolution = { action: 'write_off', note: 'n', requestedBy: 'a', approvedBy: null, resolvedAt: minutes(1) } as const;
    const difference = { kind: 'unexplained_difference', source: 'solvency', origin: 'adjustments' } as const;
    const accepted = { ...difference, sourceId: `unexplained:${ports.newId('evt')}`, status: 'RESOLVED', resolution } as const;
    await insertCase(ports, { ...accepted, amount: money(-5n, 'XLM') });
    const open = await insertCase(ports, difference);
    expect((await cases.acceptedDifferences()).get('XLM')).toBe(-5n);
    expect(idsOf(await cases.openDifferences())).toEqual([open.id]);
    expect((await cases.countUnresolved()).find(({ currency }) => currency === 'XLM')?.count).toBe(2);
    const unowned = await insertCase(ports, { userId: null, createdAt: minutes(8) });
    const newest = async (hasUser: boolean) => idsOf(await cases.list(marketplaceId, { limit: 1, hasUser }))?.[0];
    expect(await newest(false)).toBe(unowned.id);
    expect(await newest(true)).not.toBe(unowned.id);
  },

  'users are known once identity has named them': async (ports) => {
    const user = {
      id: ports.newId('usr'),
      marketplaceId,
      type: 'BOTH',
      status: 'ACTIVE',
      version: 4,
      receivedAt: minutes(0),
    } as const;
    const lookup = { marketplaceId, userId: user.id, requestId: 'req-1' };
    const lock = (of: typeof marketplaceId) => ports.inTransaction((tx) => tx.users.lock(of, user.id));
    await expect(ports.users.require(lookup)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    ports.addToIdentity(user);
    expect([await lock(marketplaceId), await ports.cases.marketplaceOfUser(user.id)]).toEqual([false, undefined]);
    expect(await ports.users.require(lookup)).toMatchObject({ id: user.id, status: 'ACTIVE', version: 4 });
    expect([await lock(marketplaceId), await lock(other)]).toEqual([true, false]);
    expect([await ports.cases.marketplaceOfUser(user.id), await ports.users.knownVersion(user.id)]).toEqual([marketplaceId, 4]);
  },

  'a run ends with the commit, and its waiting request gets the outcome': async (ports) => {
    const { id: aggregateId } = await insertTopup(ports);
    const run = { id: ports.newId('run'), saga: 'top-up', aggregateId, marketplaceId, correlationId: 'req-1' };
    await ports.inTransaction(async (tx) => tx.runs.start(run));
    const waiting = ports.runs.wait(run.id, 60_000);
    const outcome: SagaOutcome = { status: 'failed', code: 'LIMIT_EXCEEDED', details: { max: '1.00' } };
    await ports.inTransaction(async (tx) => tx.runs.close(run.id, outcome));
    expect(await waiting).toEqual(outcome);
    expect(await ports.runs.restartRetries(run.id)).toBeUndefined();
  },

  'reports are listed newest first, by currency': async (ports) => {
    expect([await ports.reports.lastAt(), await ports.reports.list({ limit: 5 })]).toEqual([null, []]);
    const amounts = { journal: '1.00', paymentProvider: '1.00', ledgerNetwork: '0.00', difference: '0.00' };
    const solvency = { liabilities: null, assets: null, solvency: null, ownMoney: null, unexplained: null };
    const reportOf = (minute: number, currency: 'USD' | 'XLM'): ReconciliationReportRecord => ({
      ...{ id: ports.newId('rcr'), at: minutes(minute), currency, ledger: null, ...amounts, ...solvency },
      ...{ inFlight: [], unavailable: [], openCases: 0 },
    });
    const reports = [reportOf(1, 'USD'), reportOf(2, 'XLM')];
    await ports.inTransaction(async (tx) => tx.reports.insert(reports));
    expect(await ports.reports.list({ limit: 5 })).toEqual(reports.toReversed());
    expect(idsOf(await ports.reports.list({ limit: 5, currency: 'USD' }))).toEqual([reports[0]?.id]);
    expect(await ports.reports.lastAt()).toBe(minutes(2));
  },
};
