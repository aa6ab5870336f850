import { createCommitBatcher } from '@holdfast/messaging/batching';
import { toInstant, type Clock } from '@holdfast/kernel/context';
import { providerEventRetentionDays } from '@holdfast/intents/provider-controls';
import { commitStatement, deleteInBatches, type Database } from '@holdfast/postgres';
import type { EventResult, ProviderEvent, ProviderEvents } from '../use-cases/event-ports.js';
import * as sql from './event-sql.js';
import type { EventRow } from './schema.js';

/** How long an event stays claimed by the process that stored or claimed it. */
const claimMs = 60_000;

const batchLimits = { sizeMax: 256, batchDelayMs: 25, inFlightMax: 1, waitingMax: 10_000 };

type Storing = { readonly event: ProviderEvent; readonly result: EventResult | undefined };
type Finishing = { readonly id: ProviderEvent['id']; readonly result: EventResult };

/** Events that arrive at the same time share a commit. */
export function eventStore(database: Pick<Database, 'pool' | 'lists'>, clock: Clock): ProviderEvents {
  const { pool, lists } = database;
  const storing = createCommitBatcher<Storing, boolean>({
    ...batchLimits,
    commit: async (items) => {
      const first = firstOfEach(items);
      const dueAt = toInstant(clock.epochMs() + claimMs);
      const rows = [...first.values()].map((item) => toRow(item, dueAt));
      const stored = await commitStatement<{ readonly id: string }>(pool, sql.insertEvents, sql.newEvents.valuesOf(rows));
      const ids = new Set(stored.map(({ id }) => id));
      return items.map(({ event }) => ({ status: 'fulfilled', value: ids.has(event.id) }));
    },
  });
  const finishing = createCommitBatcher<Finishing, undefined>({
    ...batchLimits,
    commit: async (items) => {
      const values = [items.map(({ id }) => id), items.map(({ result }) => result)];
      await commitStatement(pool, sql.finishEvents, values);
      return items.map(() => ({ status: 'fulfilled', value: undefined }));
    },
  });
  return {
    store: (event, result) => storing.submit({ event, result }),
    finish: async (id, result) => {
      await finishing.submit({ id, result });
    },
    postpone: async (id) => {
      await pool.query(sql.postponeEvent, [id]);
    },
    claimDue: (countMax) => lists.inTransaction((tx) => tx.query<EventRow>(sql.claimDueEvents, [countMax, claimMs / 1_000])),
    prune: async (signal) => {
      const where = 'received_at < now() - make_interval(days => $2) and result is not null';
      await deleteInBatches(database, { table: 'provider_events', where, values: [providerEventRetentionDays] }, signal);
    },
  };
}

/** Of two copies in one batch the first one is stored. */
function firstOfEach(items: readonly Storing[]): ReadonlyMap<string, Storing> {
  return new Map(items.toReversed().map((item) => [item.event.providerEventId, item]));
}

function toRow({ event, result }: Storing, dueAt: ReturnType<typeof toInstant>): EventRow {
  const isDone = result !== undefined;
  return {
    ...event,
    body: Buffer.from(event.body),
    handledAt: isDone ? event.receivedAt : null,
    result: result ?? null,
    attempts: isDone ? 0 : 1,
    nextAttemptAt: isDone ? null : dueAt,
  };
}
