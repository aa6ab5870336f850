import { toEpochMs, type Clock } from '@holdfast/kernel/context';
import type { NewId } from '@holdfast/kernel/ids';
import { insertNew, type MemoryOutbox, type MemoryRuns, type MemoryTx } from '@holdfast/testing/memory';
import type { SagaOutcome } from '@holdfast/sagas';
import type { Case } from '../domain/case.js';
import type { Topup } from '../domain/topup.js';
import type { Withdrawal } from '../domain/withdrawal.js';
import type { UnitOfWork } from '../use-cases/ports.js';
import { intentsIn } from './memory-intents.js';
import type { PaymentTables } from './memory-rows.js';
import { by } from './memory-rows.js';
import { holdOf, notInMemory } from './memory-stores.js';

export type UnitOfWorkDeps = {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly outbox: MemoryOutbox;
  readonly runs: MemoryRuns<SagaOutcome>;
};

/** The stores of one transaction. */
export function memoryUnitOfWork(tx: MemoryTx<PaymentTables>, { clock, newId, outbox, runs }: UnitOfWorkDeps): UnitOfWork {
  const { tables, afterCommit } = tx;
  return {
    afterCommit,
    topups: { ...rowsIn(tables.topups), createdSince: createdSince(tables.topups) },
    withdrawals: {
      ...rowsIn(tables.withdrawals),
      delete: (id) => {
        if (tables.withdrawals.get(id)?.reservedAt === null) tables.withdrawals.delete(id);
      },
      createdSince: createdSince(tables.withdrawals),
    },
    holds: { find: async (marketplaceId, userId) => holdOf(tables, marketplaceId, userId) },
    users: { lock: async (marketplaceId, userId) => tables.users.get(userId)?.marketplaceId === marketplaceId },
    cases: casesIn(tables.cases),
    restoredAt: async () => tables.restores.get('platform'),
    accounts: {
      find: async (userId) => tables.accounts.get(userId),
      lock: async (marketplaceId, userId) => {
        const account = tables.accounts.get(userId);
        return account?.marketplaceId === marketplaceId ? account : undefined;
      },
      insertIfNew: async (account) => {
        const isNew = !tables.accounts.has(account.userId);
        if (isNew) tables.accounts.set(account.userId, account);
        return isNew;
      },
    },
    providerAccount: { recordCapital: notInMemory('recordCapital'), recordFees: notInMemory('recordFees') },
    reports: { insert: (reports) => reports.forEach((report) => insertNew(tables.reports, report.id, report)) },
    runs: runs.in(tx),
    intents: intentsIn(tx, clock),
    resolutions: {
      lock: async (paymentId) => tables.resolutions.get(paymentId),
      save: async (resolution) => {
        const isResolved = (tables.resolutions.get(resolution.paymentId)?.resolvedAt ?? null) !== null;
        if (!isResolved) tables.resolutions.set(resolution.paymentId, resolution);
      },
    },
    publish: (message) => outbox.add(tx, message),
    newId,
  };
}

/** A save writes what can change after the insert, and nothing if there is no such row. */
function rowsIn<Item extends Topup | Withdrawal>(rows: Map<string, Item>) {
  return {
    insert: (item: Item) => insertNew(rows, item.id, item),
    lock: async (id: string) => rows.get(id),
    save: (item: Item) => {
      const stored = rows.get(item.id);
      if (stored === undefined) return;
      const { marketplaceId, userId, amount, createdAt } = stored;
      rows.set(item.id, { ...item, marketplaceId, userId, amount, createdAt });
    },
  };
}

function createdSince(rows: ReadonlyMap<string, Topup | Withdrawal>): UnitOfWork['topups']['createdSince'] {
  return async (marketplaceId, userId, since) =>
    [...rows.values()]
      .filter((item) => item.marketplaceId === marketplaceId && item.userId === userId)
      .filter(({ createdAt }) => toEpochMs(createdAt) > toEpochMs(since))
      .map(({ createdAt }) => createdAt)
      .toSorted(by((createdAt) => createdAt));
}

function casesIn(cases: PaymentTables['cases']): UnitOfWork['cases'] {
  const ofSource = ({ kind, source, sourceId }: Pick<Case, 'kind' | 'source' | 'sourceId'>): Case | undefined =>
    [...cases.values()].find((found) => found.kind === kind && found.source === source && found.sourceId === sourceId);
  return {
    insertIfNew: async (item) => {
      const isNew = ofSource(item) === undefined;
      if (isNew) insertNew(cases, item.id, item);
      return isNew;
    },
    lock: async (id) => cases.get(id),
    lockOfSource: async (of) => ofSource(of),
    save: (item) => {
      const stored = cases.get(item.id);
      if (stored === undefined) return;
      const { marketplaceId, kind, source, sourceId, createdAt } = stored;
      cases.set(item.id, { ...item, marketplaceId, kind, source, sourceId, createdAt });
    },
  };
}
