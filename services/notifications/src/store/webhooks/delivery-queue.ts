import type { Clock, Instant } from '@holdfast/kernel/context';
import { selectList, type Database } from '@holdfast/postgres';
import { firstDelivery } from '../../domain/webhooks/first-delivery.js';
import type { QueuedEvent } from '../../use-cases/webhooks/ports.js';
import type { DeliveryQueue, DueDelivery, LogPart, UnstoredDelivery } from '../../use-cases/webhooks/worker-ports.js';
import { positionsAfter } from './batches.js';
import { endpointLeases } from './endpoint-leases.js';
import { deliveries, endpoints, isOpen, subjectColumns, type EndpointRow } from './schema.js';
import type { SealedEndpoints } from './sealed-endpoints.js';
import { queuedEvent } from './sql.js';

/** A subquery is read into a hash table once. `<> all` of a prepared statement would compare each delivery with every known one. */
const dueOfQueue = (isReplay: boolean, limit: string): string => `(
      select *
      from ${deliveries.table}
      where endpoint_id = endpoint.id
        and is_replay = ${String(isReplay)}
        and next_attempt_at <= $4
        and id not in (select unnest($5::text[]))
      order by next_attempt_at, position
      limit ${limit}
    )`;

const target = `endpoint.url,
    endpoint.secret_sealed as secret,
    endpoint.previous_secret_sealed as "previousSecret",
    endpoint.previous_valid_until as "previousValidUntil"`;

/** The time of the append finds the partition of the event. */
const selectDue = {
  name: 'due-webhook-deliveries',
  text: `
  select ${selectList(subjectColumns, 'delivery')},
    delivery.attempts,
    coalesce(delivery.body, events.envelope) as content,
    ${target}
  from unnest($1::text[], $2::int[], $3::int[]) as wanted (endpoint_id, first_max, replay_max)
  join ${endpoints.table} as endpoint on endpoint.id = wanted.endpoint_id
    and endpoint.status = 'ENABLED'
  cross join lateral (
    ${dueOfQueue(false, 'wanted.first_max')}
    union all
    ${dueOfQueue(true, 'wanted.replay_max')}
  ) as delivery
  left join events on events.position = delivery.position
    and events.appended_at = delivery.event_appended_at`,
};

/** An event that the history has dropped is a row without an event. */
const selectUnstored = {
  name: 'unstored-webhook-deliveries',
  text: `
  select wanted.endpoint_id as "endpointId",
    listed.position as "readUntil",
    ${queuedEvent},
    events.envelope as content,
    endpoint.ordering = 'aggregate' as "isOrdered",
    coalesce((
      select true
      from ${deliveries.table} as other
      where other.endpoint_id = wanted.endpoint_id
        and not other.is_replay
        and other.aggregate_type = events.aggregate_type
        and other.aggregate_id = events.aggregate_id
        and other.${isOpen}
      limit 1
    ), false) as "isBlocked",
    ${target}
  from unnest($1::text[], $2::bigint[], $3::int[]) as wanted (endpoint_id, after, max)
  join ${endpoints.table} as endpoint on endpoint.id = wanted.endpoint_id
    and endpoint.status = 'ENABLED'
  cross join lateral ${positionsAfter('wanted.endpoint_id', 'wanted.after', 'wanted.max')} as listed
  left join events on events.position = listed.position
    and events.appended_at = listed.appended_at
  order by listed.position`,
};

const selectStored = {
  name: 'stored-webhook-deliveries',
  text: `
  select id
  from ${deliveries.table}
  where id = any($1)`,
};

type Target = Pick<EndpointRow, 'url' | 'secret' | 'previousSecret' | 'previousValidUntil'>;
type DueRow = Omit<DueDelivery, 'secrets' | 'url'> & Target;
type UnstoredRow = Target &
  Pick<UnstoredDelivery, 'endpointId' | 'isOrdered' | 'isBlocked'> & { readonly readUntil: bigint } & (
    (QueuedEvent & { readonly content: string }) | { readonly content: null }
  );

type QueueOptions = { readonly database: Database; readonly sealed: SealedEndpoints; readonly clock: Clock };

export function deliveryQueue({ database, sealed, clock }: QueueOptions): DeliveryQueue {
  const { pool } = database;
  return {
    ...endpointLeases(database, clock),
    due: async (wanted, inFlight) => {
      const now = clock.now();
      const { rows } = await pool.query<DueRow>(selectDue, [
        wanted.map(({ endpointId }) => endpointId),
        wanted.map(({ firstMax }) => firstMax),
        wanted.map(({ replayMax }) => replayMax),
        now,
        inFlight,
      ]);
      const secretsOf = secretsAt(sealed, now);
      return rows.map((row) => {
        const { secret, previousSecret, previousValidUntil, ...due } = row;
        return { ...due, secrets: secretsOf(row) };
      });
    },
    unstored: async (wanted) => {
      const { rows } = await pool.query<UnstoredRow>(selectUnstored, [
        wanted.map(({ endpointId }) => endpointId),
        wanted.map(({ after }) => after),
        wanted.map(({ max }) => max),
      ]);
      return partsOf(rows, secretsAt(sealed, clock.now()));
    },
    stored: async (ids) => (await pool.query<{ readonly id: DueDelivery['id'] }>(selectStored, [ids])).rows.map(({ id }) => id),
  };
}

type SecretsOf = (row: Target & Pick<DueDelivery, 'endpointId'>) => readonly string[];

/** The secrets of an endpoint are decrypted once for all its deliveries. */
function secretsAt(sealed: SealedEndpoints, now: Instant): SecretsOf {
  const opened = new Map<DueDelivery['endpointId'], readonly string[]>();
  return (row) => {
    const secrets = opened.get(row.endpointId) ?? sealed.secretsOf({ ...row, id: row.endpointId }, now);
    opened.set(row.endpointId, secrets);
    return secrets;
  };
}

type Part = LogPart & { until: bigint; count: number; readonly deliveries: UnstoredDelivery[] };

function partsOf(rows: readonly UnstoredRow[], secretsOf: SecretsOf): readonly LogPart[] {
  const parts = new Map<DueDelivery['endpointId'], Part>();
  for (const row of rows) {
    const { endpointId, readUntil } = row;
    const part = parts.get(endpointId) ?? { endpointId, until: readUntil, count: 0, deliveries: [] };
    parts.set(endpointId, part);
    part.until = readUntil;
    part.count += 1;
    if (row.content !== null) part.deliveries.push(unstoredDelivery(row, secretsOf(row)));
  }
  return [...parts.values()];
}

function unstoredDelivery(
  row: UnstoredRow & QueuedEvent & { readonly content: string },
  secrets: readonly string[],
): UnstoredDelivery {
  const { endpointId, url, content, isOrdered, isBlocked } = row;
  return { ...firstDelivery(row, endpointId), attempts: 0, url, secrets, content, isOrdered, isBlocked };
}
