import type { Instant } from '@holdfast/kernel/context';
import type { ApiKeyId } from '@holdfast/kernel/ids';
import { unnestRows, type Database } from '@holdfast/postgres';
import { apiKeys } from './schema.js';

export type KeyUses = {
  readonly record: (id: ApiKeyId, at: Instant) => void;
  /** Writes the uses since the last flush, all keys in one statement. */
  readonly flush: () => Promise<void>;
};

/** While this many keys are pending, uses of further keys are dropped; a later use is recorded again. */
const waitingMax = 50_000;

const uses = unnestRows(apiKeys.columns, ['id', 'lastUsedAt']);

/** Rows are locked in one order, so that replicas that flush at the same time cannot deadlock. */
const updateLastUsed = `
  update api_keys
  set last_used_at = used.last_used_at
  from (
    select given.id, given.last_used_at
    from ${uses.from}
    join api_keys on api_keys.id = given.id
    order by given.id
    for update of api_keys
  ) as used
  where api_keys.id = used.id
    and (api_keys.last_used_at is null or api_keys.last_used_at < used.last_used_at)`;

/** Collects the last use of each key in memory, because every verified request uses a key. */
export function keyUses({ lists }: Pick<Database, 'lists'>): KeyUses {
  let waiting = new Map<ApiKeyId, Instant>();
  return {
    record: (id, at) => {
      if (waiting.size < waitingMax || waiting.has(id)) waiting.set(id, at);
    },
    flush: async () => {
      if (waiting.size === 0) return;
      const flushed = waiting;
      waiting = new Map();
      try {
        const rows = [...flushed].map(([id, lastUsedAt]) => ({ id, lastUsedAt }));
        await lists.query(updateLastUsed, uses.valuesOf(rows));
      } catch (error) {
        waiting = new Map([...flushed, ...waiting]);
        throw error;
      }
    },
  };
}
