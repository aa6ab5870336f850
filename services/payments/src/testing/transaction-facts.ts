import { auditRecorded, type Envelope } from '@holdfast/contracts/messages';
import { AppError } from '@holdfast/kernel/errors';
import { money } from '@holdfast/kernel/money';
import type { OutgoingMessage } from '@holdfast/sagas';
import type { Topup } from '../domain/topup.js';
import type { UnitOfWork } from '../use-cases/ports.js';
import type { PaymentResolution } from '../use-cases/resolution-ports.js';
import {
  aCase,
  aContext,
  anIntent,
  aTopup,
  aWithdrawal,
  insertCase,
  insertTopup,
  insertWithdrawal,
  marketplaceId,
  minutes,
  other,
  type PortFacts,
  type PortsUnderTest,
} from './ports-under-test.js';

const usd = (units: bigint) => money(units, 'USD');

function auditMessage(aggregateId: string): OutgoingMessage {
  const actor = { actorType: 'api_key', actorId: 'key_1', result: 'SUCCESS', reason: null, before: null, after: null };
  const payload = { action: 'TESTED', resourceType: 'TopUp', resourceId: aggregateId, ...actor, recordedAt: minutes(0) };
  return { declaration: auditRecorded, aggregateId, aggregateVersion: 1, marketplaceId, correlationId: 'req-1', payload };
}

/** Writes one row of every kind about a top-up. */
async function writeEverything(tx: UnitOfWork, topup: Topup): Promise<void> {
  tx.topups.insert(topup);
  tx.withdrawals.insert(aWithdrawal(tx, { userId: topup.userId }));
  await tx.cases.insertIfNew(aCase(tx, { userId: topup.userId }));
  await tx.accounts.insertIfNew(anAccount(topup));
  tx.intents.insert(anIntent(tx, { subject: topup.id }));
  tx.runs.start({ id: tx.newId('run'), saga: 'top-up', aggregateId: topup.id, marketplaceId, correlationId: 'req-1' });
  tx.publish(auditMessage(topup.id));
}

function anAccount({ userId }: Pick<Topup, 'userId'>) {
  return { userId, marketplaceId, paymentAccountUserId: 'account-1', email: 'a@example.com', linkedAt: minutes(0) };
}

/** What is committed about a top-up and its user. */
async function committedOf(ports: PortsUnderTest, { id, userId }: Topup) {
  const filter = { userId, limit: 10 };
  const lengths = [
    ports.topups.list(marketplaceId, filter),
    ports.withdrawals.list(marketplaceId, filter),
    ports.cases.list(marketplaceId, filter),
    ports.runs.stalledRuns(-60_000, 10_000).then((runs) => runs.filter(({ aggregateId }) => aggregateId === id)),
    ports.published().then((messages) => messages.filter(({ aggregateId }) => aggregateId === id)),
  ].map(async (rows: Promise<readonly unknown[] | undefined>) => (await rows)?.length);
  const hasAccount = (await ports.accounts.find(marketplaceId, userId)) !== undefined;
  return [...(await Promise.all(lengths)), hasAccount, (await ports.intents.findOpen(id)) !== undefined];
}

const everything = [1, 1, 1, 1, 1, true, true];
const nothing = [0, 0, 0, 0, 0, false, false];

function aMessage({ newId }: PortsUnderTest): Envelope {
  const about = { aggregateId: 'x', aggregateVersion: 1, marketplaceId, correlationId: 'req-1', occurredAt: minutes(0) };
  return { ...about, id: newId('evt'), type: 'a.happened', version: 1, aggregateType: 'TopUp', payload: {} };
}

export const transactionFacts: PortFacts = {
  'a transaction commits all its writes together, then calls what waits for the commit': async (ports) => {
    const topup = aTopup(ports);
    const called: string[] = [];
    const result = await ports.inTransaction(async (tx) => {
      tx.afterCommit(() => called.push('committed'));
      await writeEverything(tx, topup);
      called.push('written');
      return 'done';
    });
    expect([result, called]).toEqual(['done', ['written', 'committed']]);
    expect(await committedOf(ports, topup)).toEqual(everything);
  },

  'a transaction that throws leaves nothing, publishes nothing, and calls nothing': async (ports) => {
    for (const error of [new AppError('INVALID_STATE'), new Error('a bug')]) {
      const topup = aTopup(ports);
      const called: string[] = [];
      const work = async (tx: UnitOfWork): Promise<never> => {
        tx.afterCommit(() => called.push('committed'));
        await writeEverything(tx, topup);
        throw error;
      };
      await expect(ports.inTransaction(work)).rejects.toBe(error);
      await expect(ports.onMessage(aMessage(ports), work)).rejects.toBe(error);
      await expect(ports.perform({ name: 'test', input: {}, ctx: aContext() }, work)).rejects.toBe(error);
      expect([called, await committedOf(ports, topup)]).toEqual([[], nothing]);
    }
  },

  'a message that breaks its contract leaves nothing of its transaction': async (ports) => {
    const topup = aTopup(ports);
    const refused = ports.inTransaction(async (tx) => {
      await writeEverything(tx, topup);
      tx.publish({ ...auditMessage(topup.id), payload: {} });
    });
    await expect(refused).rejects.toThrow();
    expect(await committedOf(ports, topup)).toEqual(nothing);
  },

  'a message has one effect; one that failed can be redelivered': async (ports) => {
    const { id } = await insertTopup(ports);
    const message = aMessage(ports);
    const count = (fails: boolean) =>
      ports.onMessage(message, async (tx) => {
        const topup = await tx.topups.lock(id);
        if (topup !== undefined) tx.topups.save({ ...topup, polls: topup.polls + 1 });
        if (fails) throw new AppError('INVALID_STATE');
      });
    await expect(count(true)).rejects.toMatchObject({ code: 'INVALID_STATE' });
    await Promise.all([count(false), count(false), count(false)]);
    expect((await ports.topups.find(marketplaceId, id))?.polls).toBe(1);
  },

  'a repeated operation gets the first result; another input or name is IDEMPOTENCY_KEY_REUSED': async (ports) => {
    let runs = 0;
    const operationId = ports.newId('evt');
    const perform = (given: object = {}, name = 'test', ctx = aContext({ operationId })) =>
      ports.perform({ name, input: given, ctx }, async () => ({ run: (runs += 1) }));
    const results = await Promise.all([perform(), perform(), perform()]);
    expect([results, runs]).toEqual([[{ run: 1 }, { run: 1 }, { run: 1 }], 1]);
    await expect(perform({ a: 1 })).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    await expect(perform({}, 'other')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await perform({}, 'test', aContext({ operationId, at: '2026-03-03T12:00:00.000000Z' }))).toEqual({ run: 2 });
    await Promise.all([perform({}, 'test', aContext()), perform({}, 'test', aContext())]);
    expect(runs).toBe(4);
  },

  'an operation that failed can be repeated': async (ports) => {
    const ctx = aContext({ operationId: ports.newId('evt') });
    const operation = { name: 'test', input: {}, ctx };
    const failing = ports.perform(operation, () => Promise.reject(new AppError('INVALID_STATE')));
    await expect(failing).rejects.toMatchObject({ code: 'INVALID_STATE' });
    expect(await ports.perform(operation, async () => 'done')).toBe('done');
  },

  'a locked row serialises transactions, and each sees the change before it': async (ports) => {
    const { id } = await insertTopup(ports);
    const count = () =>
      ports.inTransaction(async (tx) => {
        const topup = await tx.topups.lock(id);
        if (topup !== undefined) tx.topups.save({ ...topup, polls: topup.polls + 1 });
        return topup?.polls ?? -1;
      });
    const seen = await Promise.all(Array.from({ length: 8 }, count));
    expect(seen.toSorted((one, another) => one - another)).toEqual(seen.map((_, index) => index));
  },

  'a save is seen by the next lock of its transaction, and keeps what is fixed': async (ports) => {
    const topup = await insertTopup(ports);
    const withdrawal = await insertWithdrawal(ports);
    const found = await insertCase(ports);
    const changed = { marketplaceId: other, userId: 'usr_other', amount: usd(1n), createdAt: minutes(9) } as const;
    await ports.inTransaction(async (tx) => {
      tx.topups.save({ ...topup, ...changed, status: 'TOPUP_PROCESSING' });
      expect(await tx.topups.lock(topup.id)).toEqual({ ...topup, status: 'TOPUP_PROCESSING' });
      tx.withdrawals.save({ ...withdrawal, ...changed, status: 'WITHDRAWAL_COMMITTED' });
      expect(await tx.withdrawals.lock(withdrawal.id)).toEqual({ ...withdrawal, status: 'WITHDRAWAL_COMMITTED' });
      tx.cases.save({ ...found, marketplaceId: other, kind: 'amount_mismatch', sourceId: 'x', status: 'RESOLVED', returns: 2 });
      expect(await tx.cases.lock(found.id)).toEqual({ ...found, status: 'RESOLVED', returns: 2 });
      expect([await tx.topups.lock('topup_none'), await tx.withdrawals.lock('wd_none'), await tx.cases.lock('rcc_none')]).toEqual(
        [undefined, undefined, undefined],
      );
    });
  },

  'a second row with the same id is refused': async (ports) => {
    const [topup, withdrawal] = [await insertTopup(ports), await insertWithdrawal(ports)];
    await expect(ports.inTransaction(async (tx) => tx.topups.insert(topup))).rejects.toMatchObject({ code: '23505' });
    await expect(ports.inTransaction(async (tx) => tx.withdrawals.insert(withdrawal))).rejects.toMatchObject({ code: '23505' });
  },

  'only a withdrawal whose amount is not reserved is deleted': async (ports) => {
    const [hidden, visible] = [await insertWithdrawal(ports, { reservedAt: null }), await insertWithdrawal(ports)];
    await ports.inTransaction(async (tx) => [hidden, visible].forEach(({ id }) => tx.withdrawals.delete(id)));
    const { findByCodeOrPayout } = ports.withdrawals;
    expect([await findByCodeOrPayout(hidden.id, null), await findByCodeOrPayout(visible.id, null)]).toEqual([undefined, visible]);
  },

  'what a user has created since a time is listed oldest first, also what is not visible': async (ports) => {
    const userId = ports.newId('usr');
    for (const minute of [3, 1, 2]) {
      await insertTopup(ports, { userId, createdAt: minutes(minute) });
      await insertWithdrawal(ports, { userId, createdAt: minutes(minute), reservedAt: null });
    }
    await insertTopup(ports, { userId, createdAt: minutes(3), marketplaceId: other });
    await ports.inTransaction(async (tx) => {
      for (const { createdSince } of [tx.topups, tx.withdrawals])
        expect(await createdSince(marketplaceId, userId, minutes(1))).toEqual([minutes(2), minutes(3)]);
    });
  },

  'a user has one payment account, and one case is opened per kind and source': async (ports) => {
    const { userId } = aTopup(ports);
    const account = anAccount({ userId });
    const found = aCase(ports);
    const insert = () =>
      ports.inTransaction(async (tx) => [await tx.accounts.insertIfNew(account), await tx.cases.insertIfNew(found)]);
    expect([await insert(), await insert()]).toEqual([
      [true, true],
      [false, false],
    ]);
    const second = { ...account, email: 'other@example.com' };
    const again = { ...aCase(ports), kind: found.kind, source: found.source, sourceId: found.sourceId };
    await ports.inTransaction(async (tx) => {
      expect([await tx.accounts.insertIfNew(second), await tx.cases.insertIfNew(again)]).toEqual([false, false]);
      expect([await tx.accounts.find(userId), await tx.accounts.lock(marketplaceId, userId)]).toEqual([account, account]);
      expect(await tx.accounts.lock(other, userId)).toBeUndefined();
      expect(await tx.cases.lockOfSource(found)).toEqual(found);
      expect(await tx.cases.lockOfSource({ ...found, kind: 'amount_mismatch' })).toBeUndefined();
    });
    expect([await ports.accounts.find(marketplaceId, userId), await ports.accounts.find(other, userId)]).toEqual([
      account,
      undefined,
    ]);
  },

  'a subject has one open intent; closing needs its current lease': async (ports) => {
    const intent = anIntent(ports);
    const insert = (given: typeof intent) => ports.inTransaction(async (tx) => tx.intents.insert(given));
    await insert(intent);
    await insert(intent);
    await expect(insert(anIntent(ports, { subject: intent.subject }))).rejects.toMatchObject({ code: '23505' });
    expect(await ports.intents.findOpen(intent.subject)).toBe(intent.id);
    const first = await ports.claim(intent.id);
    expect(first).toMatchObject({ ...intent, isFresh: true, attempts: 0, workerState: {} });
    const ofSubject = { subject: intent.subject, marketplaceId };
    await ports.inTransaction((tx) => tx.intents.requestOfOpen(ofSubject, { isCanceled: true }));
    await ports.inTransaction((tx) => tx.intents.requestOfOpen({ ...ofSubject, marketplaceId: other }, { isForeign: true }));
    const second = await ports.claim(intent.id);
    expect(second).toMatchObject({ isFresh: false, workerState: { isCanceled: true } });
    const close = (lease: NonNullable<typeof first>) => ports.inTransaction((tx) => tx.intents.close(lease, minutes(1)));
    if (first === undefined || second === undefined) throw new Error('The intent was not claimed.');
    await expect(ports.intents.requireLease(first)).rejects.toMatchObject({ name: 'LeaseLost' });
    await expect(close(first)).rejects.toMatchObject({ name: 'LeaseLost' });
    await ports.intents.requireLease(second);
    await close(second);
    await expect(close(second)).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(await ports.intents.findOpen(intent.subject)).toBeUndefined();
    await ports.inTransaction(async (tx) => {
      expect(await tx.intents.findOpen(intent.subject)).toBeUndefined();
      tx.intents.insert(anIntent(ports, { subject: intent.subject }));
      expect(await tx.intents.findOpen(intent.subject)).toBeDefined();
    });
  },

  'a resolution is replaced until it is resolved': async (ports) => {
    const nobody = { approvedBy: null, approvedKey: null, approvalEvidence: null, resolvedAt: null };
    const requested = { requestedBy: 'ada', requestedKey: 'key_1', requestedAt: minutes(0), evidence: 'e' };
    const first: PaymentResolution = {
      paymentId: ports.newId('wd'),
      outcome: 'failed',
      transactionHash: null,
      ...requested,
      ...nobody,
    };
    const approved = { ...first, approvedBy: 'bob', approvedKey: 'key_2', approvalEvidence: 'f', resolvedAt: minutes(1) };
    await ports.inTransaction(async (tx) => {
      expect(await tx.resolutions.lock(first.paymentId)).toBeUndefined();
      for (const resolution of [first, approved, { ...first, requestedBy: 'eve' }]) await tx.resolutions.save(resolution);
      expect(await tx.resolutions.lock(first.paymentId)).toEqual(approved);
    });
  },

  'a restore is known while the stop that followed it is on': async (ports) => {
    const restoredAt = () => ports.inTransaction((tx) => tx.restoredAt());
    expect(await restoredAt()).toBeUndefined();
    await ports.setRestoredAt(minutes(4));
    expect(await restoredAt()).toBe(minutes(4));
    await ports.setRestoredAt(undefined);
    expect(await restoredAt()).toBeUndefined();
  },
};
