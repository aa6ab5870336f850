import type { IntentStore, IntentWorker, NewIntent } from '@holdfast/intents';
import type { Instant } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import type { Outbox } from '@holdfast/messaging/outbox';
import type { SagaRuns } from '@holdfast/messaging/saga-runs';
import type { Tx } from '@holdfast/postgres';
import type { PaymentAccount } from '../domain/payment-account.js';
import type { WithdrawalHold } from '../use-cases/hold-ports.js';
import type { OutgoingMessage, UnitOfWork } from '../use-cases/ports.js';
import { findAccountOfUser, insertAccounts, lockAccount } from './account-store.js';
import { caseStatements, findRestore, lockCaseOfSource } from './case-store.js';
import { findHold } from './hold-store.js';
import { providerAccountOf } from './provider-account-store.js';
import { resolutionsIn } from './resolution-store.js';
import { insertReports } from './report-store.js';
import { fromRow, toRow } from './rows.js';
import type { CaseRow, TopupRow, WithdrawalRow } from './schema.js';
import { topupStatements, topupsSince } from './topup-store.js';
import { lockUser, withdrawalsSince, withdrawalStatements } from './withdrawal-store.js';

export type UnitOfWorkDeps = {
  readonly outbox: Outbox;
  readonly sagaRuns: Pick<SagaRuns, 'startAll' | 'closeAllWithCommit'>;
  /** Stores the intent; the worker is woken after the commit. */
  readonly insertIntent: (tx: Tx, intent: NewIntent) => void;
  readonly intents: Pick<IntentStore, 'close' | 'findOpen' | 'requestOfOpen'>;
  readonly worker: () => Pick<IntentWorker, 'wake'>;
  readonly newId: NewId;
  readonly casesOpened: { readonly inc: (labels: { readonly kind: string; readonly currency: string }) => void };
};

/** The stores of one transaction. */
export function createUnitOfWork(tx: Tx, deps: UnitOfWorkDeps): UnitOfWork {
  const { outbox, sagaRuns, newId, casesOpened } = deps;
  return {
    tx,
    topups: {
      insert: (topup) => tx.defer(topupStatements.insert([toRow(topup)])),
      lock: async (id) => (await tx.query<TopupRow>(topupStatements.lock, [id])).map(fromRow)[0],
      save: (topup) => tx.defer(topupStatements.update([toRow(topup)])),
      createdSince: async (marketplaceId, userId, since) =>
        (await tx.query<Pick<TopupRow, 'createdAt'>>(topupsSince, [marketplaceId, userId, since])).map(
          ({ createdAt }) => createdAt,
        ),
    },
    withdrawals: {
      insert: (withdrawal) => tx.defer(withdrawalStatements.insert([toRow(withdrawal)])),
      lock: async (id) => (await tx.query<WithdrawalRow>(withdrawalStatements.lock, [id])).map(fromRow)[0],
      save: (withdrawal) => tx.defer(withdrawalStatements.update([toRow(withdrawal)])),
      delete: (id) => tx.defer('delete from withdrawals where id = $1 and held_at is null', [id]),
      createdSince: async (marketplaceId, userId, since) =>
        (await tx.query<Pick<WithdrawalRow, 'createdAt'>>(withdrawalsSince, [marketplaceId, userId, since])).map(
          ({ createdAt }) => createdAt,
        ),
    },
    holds: { find: async (marketplaceId, userId) => (await tx.query<WithdrawalHold>(findHold, [marketplaceId, userId]))[0] },
    users: { lock: async (marketplaceId, userId) => (await tx.query(lockUser, [userId, marketplaceId])).length === 1 },
    cases: {
      insertIfNew: async (found) => {
        const isNew = (await tx.query(caseStatements.insert([toRow(found)]))).length === 1;
        if (isNew) tx.afterCommit(() => casesOpened.inc({ kind: found.kind, currency: found.amount.currency }));
        return isNew;
      },
      lock: async (id) => (await tx.query<CaseRow>(caseStatements.lock, [id])).map(fromRow)[0],
      lockOfSource: async ({ kind, source, sourceId }) =>
        (await tx.query<CaseRow>(lockCaseOfSource, [kind, source, sourceId])).map(fromRow)[0],
      save: (found) => tx.defer(caseStatements.update([toRow(found)])),
    },
    restoredAt: async () => (await tx.query<{ readonly restoredAt: Instant }>(findRestore))[0]?.restoredAt,
    accounts: {
      find: async (userId) => (await tx.query<PaymentAccount>(findAccountOfUser, [userId]))[0],
      lock: async (marketplaceId, userId) => (await tx.query<PaymentAccount>(lockAccount, [userId, marketplaceId]))[0],
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
