import type { Instant } from '@holdfast/shared/context';
import type { ApiKeyId } from '@holdfast/shared/ids';
import { toAppError, type Database } from '@holdfast/shared/postgres';

export type KeyUses = {
  readonly note: (id: ApiKeyId, at: Instant) => void;
  /** Writes what was noted since the last time, all keys in one statement. */
  readonly flush: () => Promise<void>;
};

/** Uses that come while this many keys wait are not noted: the next one will be. */
const waitingMax = 50_000;

/** Rows are locked in one order, so that replicas which flush at the same time cannot block each other. */
const noteUses = `
  update api_keys
  set last_used_at = used.at
  from (
    select api_keys.id, noted.at
    from unnest($1::text[], $2::timestamptz[]) as noted (id, at)
    join api_keys on api_keys.id = noted.id
    order by api_keys.id
    for update of api_keys
  ) as used
  where api_keys.id = used.id
    and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)`;

/** Every verified request uses a key; the row learns of it every few seconds. */
export function keyUses(database: Database): KeyUses {
  let waiting = new Map<ApiKeyId, Instant>();
  return {
    note: (id, at) => {
      if (waiting.size < waitingMax || waiting.has(id)) waiting.set(id, at);
    },
    flush: async () => {
      if (waiting.size === 0) return;
      const noted = waiting;
      waiting = new Map();
      try {
        await database.pool.query(noteUses, [[...noted.keys()], [...noted.values()]]);
      } catch (error) {
        waiting = new Map([...noted, ...waiting]);
        throw toAppError(error);
      }
    },
  };
}
