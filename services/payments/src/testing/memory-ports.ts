import type { Envelope } from '@holdfast/contracts/messages';
import type { Handler } from '@holdfast/intents';
import { toEpochMs, type Clock } from '@holdfast/kernel/context';
import { AppError } from '@holdfast/kernel/errors';
import type { NewId } from '@holdfast/kernel/ids';
import {
  listNewest,
  memoryOutbox,
  memoryRuns,
  memoryTables,
  memoryUsers,
  type MemoryRuns,
  type MemoryRunsOptions,
  type MemoryTables,
  type MemoryTx,
  type MemoryUsers,
} from '@holdfast/testing/memory';
import type { SagaOutcome } from '@holdfast/sagas';
import type { Deps, UnitOfWork } from '../use-cases/ports.js';
import { memoryIntents, type MemoryIntents } from './memory-intents.js';
import { emptyTables, type PaymentTables } from './memory-rows.js';
import { memoryCases, memoryHolds, memoryTopups, memoryWithdrawals } from './memory-stores.js';
import { memoryTestClocks } from './memory-test-clocks.js';
import { memoryUnitOfWork } from './memory-unit-of-work.js';

/** The ports that a database stands behind, without the ports of reconciliation. */
export type StoredPorts = Pick<
  Deps,
  'perform' | 'inTransaction' | 'onMessage' | 'topups' | 'testClocks' | 'withdrawals' | 'holds' | 'cases' | 'accounts' | 'runs'
> & {
  readonly users: Omit<Deps['users'], 'findEmail'>;
  readonly intents: Pick<Deps['intents'], 'findOpen' | 'requireLease'>;
  readonly reports: Pick<Deps['reports'], 'lastAt' | 'list'>;
};

export type MemoryPorts = StoredPorts & {
  readonly users: MemoryUsers;
  readonly runs: MemoryRuns<SagaOutcome>;
  readonly intents: MemoryIntents;
  readonly tables: MemoryTables<PaymentTables>;
};

export type MemoryPortsOptions = MemoryRunsOptions & {
  readonly clock: Clock;
  readonly newId: NewId;
  readonly onPublished: (envelope: Envelope) => void;
  /** By kind of intent. */
  readonly handlers: Readonly<Record<string, Handler>>;
};

/**
 * The stored ports in memory, for tests of use cases. `port-suite.ts` holds them to what Postgres does. Two things only Postgres has:
 * the check constraints of its tables, and commits whose outcome is unknown.
 */
export function memoryPorts({ clock, newId, onPublished, handlers, ...limits }: MemoryPortsOptions): MemoryPorts {
  const tables = memoryTables(emptyTables());
  const runs = memoryRuns(tables, { clock, ...limits });
  const outbox = memoryOutbox({ clock, newId, onPublished });
  const unitOfWork = (tx: MemoryTx<PaymentTables>): UnitOfWork => memoryUnitOfWork(tx, { clock, newId, outbox, runs });
  return {
    perform: performerOf(tables, unitOfWork),
    inTransaction: (work) => tables.inTransaction((tx) => work(unitOfWork(tx))),
    onMessage: ({ id }, work) =>
      tables.inTransaction(async (tx) => {
        if (tx.tables.inbox.has(id)) return;
        tx.tables.inbox.set(id, true);
        await work(unitOfWork(tx));
      }),
    topups: memoryTopups(tables, clock),
    testClocks: memoryTestClocks(tables, clock),
    withdrawals: memoryWithdrawals(tables, clock),
    holds: memoryHolds(tables),
    cases: memoryCases(tables),
    accounts: {
      find: async (marketplaceId, userId) => {
        const account = tables.committed().accounts.get(userId);
        return account?.marketplaceId === marketplaceId ? account : undefined;
      },
    },
    reports: reportsOf(tables),
    users: memoryUsers(tables, clock),
    runs,
    intents: memoryIntents(tables, handlers),
    tables,
  };
}

const retentionMs = 24 * 3_600_000;

/** Like `createPerformer` of the service kit. A result is what JSON keeps of it. */
function performerOf(
  { inTransaction }: MemoryTables<PaymentTables>,
  unitOfWork: (tx: MemoryTx<PaymentTables>) => UnitOfWork,
): Deps['perform'] {
  return ({ name, input, ctx }, work) =>
    inTransaction(async (tx) => {
      const { operations } = tx.tables;
      const id = ctx.operationId ?? '';
      const fingerprint = JSON.stringify([name, ctx.caller.marketplaceId, input]);
      const done = operations.get(id);
      if (done !== undefined && toEpochMs(done.doneAt) > toEpochMs(ctx.at) - retentionMs) {
        if (done.fingerprint !== fingerprint) throw new AppError('IDEMPOTENCY_KEY_REUSED');
        return JSON.parse(done.result) as Awaited<ReturnType<typeof work>>;
      }
      const result = await work(unitOfWork(tx));
      if (id !== '') operations.set(id, { fingerprint, result: JSON.stringify(result), doneAt: ctx.at });
      return result;
    });
}

function reportsOf({ committed }: MemoryTables<PaymentTables>): StoredPorts['reports'] {
  const all = () => [...committed().reports.values()];
  return {
    lastAt: async () =>
      (all()
        .map(({ at }) => at)
        .toSorted()
        .at(-1) ?? null) as Awaited<ReturnType<Deps['reports']['lastAt']>>,
    list: async (filter) => {
      const matches = ({ currency }: { readonly currency: string }): boolean =>
        filter.currency === undefined || currency === filter.currency;
      return listNewest({ rows: all(), matches, keyOf: ({ id, at }) => ({ id, createdAt: at }) }, filter);
    },
  };
}
