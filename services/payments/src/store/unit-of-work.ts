import { MoreThan } from 'typeorm';
import type { IntentStore, IntentWorker, NewIntent } from '@holdfast/intents';
import type { Instant } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { SagaRuns } from '@holdfast/sagas/runs';
import type { Table, Tx } from '@holdfast/postgres';
import { users } from '@holdfast/service-kit/known-users';
import type { OutgoingMessage } from '@holdfast/sagas';
import type { WithdrawalHold } from '../use-cases/hold-ports.js';
import type { UnitOfWork } from '../use-cases/ports.js';
import { insertAccounts } from './account-store.js';
import { caseWrites, findRestore } from './case-store.js';
import { findHold } from './hold-store.js';
import { providerAccountOf } from './provider-account-store.js';
import { resolutionsIn } from './resolution-store.js';
import { insertReports } from './report-store.js';
import { forUpdate, fromRow, toRow } from './rows.js';
import { accounts, cases, topups, withdrawals, type TopupRow, type WithdrawalRow } from './schema.js';
import { topupWrites } from './topup-store.js';
import { withdrawalWrites } from './withdrawal-store.js';

export type UnitOfWorkDeps = {
  readonly outbox: Outbox;
  readonly sagaRuns: Pick<SagaRuns, 'startAll' | 'closeAllWithCommit'>;
  /** Stores the intent; the worker is woken after the commit. */
  readonly insertIntent: (tx: Tx, intent: NewIntent) => void;
  readonly intents: Pick<IntentStore, 'close' | 'findOpen' | 'requestOfOpen'>;
  readonly worker: () => Pick<IntentWorker, 'wake'>;
  /** Wakes up the job at this time. */
  readonly wakeAt: (job: 'confirm-payins' | 'poll-topups' | 'poll-withdrawals', at: Instant) => void;
  readonly newId: NewId;
  readonly casesOpened: { readonly inc: (labels: { readonly kind: string; readonly currency: string }) => void };
};

/** The stores of one transaction. */
export function createUnitOfWork(tx: Tx, deps: UnitOfWorkDeps): UnitOfWork {
  const { outbox, sagaRuns, newId, casesOpened } = deps;
  const { manager } = tx;
  return {
    afterCommit: (act) => tx.afterCommit(act),
    topups: topupsIn(tx, deps),
    withdrawals: withdrawalsIn(tx, deps),
    holds: { find: async (marketplaceId, userId) => (await tx.query<WithdrawalHold>(findHold, [marketplaceId, userId]))[0] },
    users: {
      lock: async (marketplaceId, id) =>
        (await manager.findOne(users.entity, { where: { id, marketplaceId }, lock: forUpdate })) !== null,
    },
    cases: {
      insertIfNew: async (found) => {
        const isNew = (await tx.query(caseWrites.insert([toRow(found)]))).length === 1;
        if (isNew) tx.afterCommit(() => casesOpened.inc({ kind: found.kind, currency: found.amount.currency }));
        return isNew;
      },
      lock: async (id) => (await manager.find(cases.entity, { where: { id }, lock: forUpdate })).map(fromRow)[0],
      lockOfSource: async ({ kind, source, sourceId }) =>
        (await manager.find(cases.entity, { where: { kind, source, sourceId }, lock: forUpdate })).map(fromRow)[0],
      save: (found) => tx.defer(caseWrites.update(toRow(found))),
    },
    restoredAt: async () => (await tx.query<{ readonly restoredAt: Instant }>(findRestore))[0]?.restoredAt,
    accounts: {
      find: async (userId) => (await manager.findOneBy(accounts.entity, { userId })) ?? undefined,
      lock: async (marketplaceId, userId) =>
        (await manager.findOne(accounts.entity, { where: { userId, marketplaceId }, lock: forUpdate })) ?? undefined,
      insertIfNew: async (account) => (await tx.query(insertAccounts([account]))).length === 1,
    },
    providerAccount: providerAccountOf(tx),
    reports: { insert: (reports) => tx.defer(insertReports(reports)) },
    runs: {
      start: (run) => sagaRuns.startAll(tx, [run]),
      close: (runId, outcome) => sagaRuns.closeAllWithCommit(tx, [{ runId, outcome }]),
    },
    intents: intentsIn(tx, deps),
    resolutions: resolutionsIn(tx),
    publish: (message) => publish(outbox, tx, message),
    newId,
  };
}

function topupsIn(tx: Tx, { wakeAt }: UnitOfWorkDeps): UnitOfWork['topups'] {
  return {
    insert: (topup) => tx.defer(topupWrites.insert([toRow(topup)])),
    lock: async (id) => (await tx.manager.find(topups.entity, { where: { id }, lock: forUpdate })).map(fromRow)[0],
    save: (topup) => {
      const { nextPollAt, nextConfirmationAt } = topup;
      tx.defer(topupWrites.update(toRow(topup)));
      if (nextPollAt !== null) tx.afterCommit(() => wakeAt('poll-topups', nextPollAt));
      if (nextConfirmationAt !== null) tx.afterCommit(() => wakeAt('confirm-payins', nextConfirmationAt));
    },
    createdSince: createdSince(tx, topups),
  };
}

function withdrawalsIn(tx: Tx, { wakeAt }: UnitOfWorkDeps): UnitOfWork['withdrawals'] {
  return {
    insert: (withdrawal) => tx.defer(withdrawalWrites.insert([toRow(withdrawal)])),
    lock: async (id) => (await tx.manager.find(withdrawals.entity, { where: { id }, lock: forUpdate })).map(fromRow)[0],
    save: (withdrawal) => {
      const { nextPollAt } = withdrawal;
      tx.defer(withdrawalWrites.update(toRow(withdrawal)));
      if (nextPollAt !== null) tx.afterCommit(() => wakeAt('poll-withdrawals', nextPollAt));
    },
    delete: (id) => tx.defer('delete from withdrawals where id = $1 and reserved_at is null', [id]),
    // The count includes withdrawals whose amount is not reserved yet.
    createdSince: createdSince(tx, withdrawals),
  };
}

function createdSince({ manager }: Tx, { entity }: Table<TopupRow> | Table<WithdrawalRow>): UnitOfWork['topups']['createdSince'] {
  return async (marketplaceId, userId, since) => {
    const where = { marketplaceId, userId, createdAt: MoreThan(since) };
    const rows = await manager.find<TopupRow | WithdrawalRow>(entity, {
      select: { id: true, createdAt: true },
      where,
      order: { createdAt: 'asc' },
    });
    return rows.map(({ createdAt }) => createdAt);
  };
}

function intentsIn(tx: Tx, { insertIntent, intents, worker }: UnitOfWorkDeps): UnitOfWork['intents'] {
  const wake: UnitOfWork['intents']['wake'] = (intentId) => tx.afterCommit(() => worker().wake(intentId));
  return {
    insert: (intent) => insertIntent(tx, intent),
    close: (intent, at) => intents.close(tx, intent, { replies: [], at }),
    findOpen: (subject) => intents.findOpen(subject, tx),
    wake,
    requestOfOpen: async (of, workerState) => {
      const intentId = await intents.requestOfOpen(tx, of, workerState);
      if (intentId !== undefined) wake(intentId);
    },
  };
}

function publish(outbox: Outbox, tx: Tx, { declaration, ...message }: OutgoingMessage): void {
  outbox.add(tx, declaration, message);
}
