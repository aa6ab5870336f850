import type { Clock, Instant } from '@holdfast/kernel/context';
import type { Database, Tx } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import type { DeliveryQueue, DueDelivery, Lease, Released } from '../../use-cases/webhooks/ports.js';
import { deliveries, endpoints, type EndpointRow } from './schema.js';
import type { SealedEndpoints } from './sealed-endpoints.js';

/** A process that dies keeps its endpoints for so long. */
export const leaseSeconds = 30;
const leasedUntil = `now() + make_interval(secs => ${leaseSeconds})`;
const lease = 'id as "endpointId", lease_token as token';

const claimEndpoints = claimDue({
  name: 'claim-webhook-endpoints',
  table: endpoints.table,
  where: `due_at <= $1
      and status = 'ENABLED'
      and deleted_at is null
      and (leased_until is null or leased_until <= now())`,
  orderBy: 'due_at',
  limit: '$2',
  set: `lease_token = lease_token + 1,
    leased_until = ${leasedUntil}`,
  returning: `${endpoints.table}.id as "endpointId", lease_token as token`,
});

const extendLeases = {
  name: 'extend-webhook-leases',
  text: `
  update ${endpoints.table}
  set leased_until = ${leasedUntil}
  from unnest($1::text[], $2::bigint[]) as given (endpoint_id, token)
  where id = given.endpoint_id
    and lease_token = given.token
    and leased_until > now()
  returning ${lease}`,
};

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

/** The time of the append finds the partition of the event. */
const selectDue = {
  name: 'due-webhook-deliveries',
  text: `
  select delivery.id,
    delivery.endpoint_id as "endpointId",
    delivery.event_id as "eventId",
    delivery.is_replay as "isReplay",
    delivery.attempts,
    coalesce(delivery.body, events.envelope) as body,
    endpoint.url,
    endpoint.secret_sealed as secret,
    endpoint.previous_secret_sealed as "previousSecret",
    endpoint.previous_valid_until as "previousValidUntil"
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

type DueRow = Omit<DueDelivery, 'secrets'> & Pick<EndpointRow, 'secret' | 'previousSecret' | 'previousValidUntil'>;

const lockLeases = {
  name: 'lock-webhook-leases',
  text: `
  select ${lease}
  from ${endpoints.table}
  where id = any($1)
  order by id
  for no key update`,
};

const firstDue = (isReplay: boolean): string => `(
      select next_attempt_at
      from ${deliveries.table}
      where endpoint_id = ${endpoints.table}.id
        and is_replay = ${String(isReplay)}
        and next_attempt_at is not null
      order by next_attempt_at
      limit 1
    )`;

const releaseLeases = {
  name: 'release-webhook-leases',
  text: `
  update ${endpoints.table}
  set leased_until = null,
    due_at = least(${firstDue(false)}, ${firstDue(true)})
  where id = any($1)
    and coalesce(least(${firstDue(false)}, ${firstDue(true)}) > $2, true)
  returning id as "endpointId",
    (extract(epoch from due_at - $2::timestamptz) * 1000)::float8 as "dueInMs"`,
};

/** They are due at once, as far as the next process can tell. */
const handOverLeases = {
  name: 'hand-over-webhook-leases',
  text: `
  update ${endpoints.table}
  set leased_until = null
  from unnest($1::text[], $2::bigint[]) as given (endpoint_id, token)
  where id = given.endpoint_id
    and lease_token = given.token`,
};

type QueueOptions = { readonly database: Database; readonly sealed: SealedEndpoints; readonly clock: Clock };

/** Due times are by the clock of the process. Leases are by the clock of the database, because processes compare them. */
export function deliveryQueue({ database, sealed, clock }: QueueOptions): DeliveryQueue {
  const { pool } = database;
  return {
    claim: async (limit) => (await pool.query<Lease>(claimEndpoints, [clock.now(), limit])).rows,
    extend: async (leases) =>
      (await pool.query<Lease>(extendLeases, [leases.map(({ endpointId }) => endpointId), leases.map(({ token }) => token)]))
        .rows,
    due: async (wanted, inFlight) => {
      const now = clock.now();
      const { rows } = await pool.query<DueRow>(selectDue, [
        wanted.map(({ endpointId }) => endpointId),
        wanted.map(({ firstMax }) => firstMax),
        wanted.map(({ replayMax }) => replayMax),
        now,
        inFlight,
      ]);
      return withSecrets(rows, (row) => sealed.secretsOf({ ...row, id: row.endpointId }, now));
    },
    handOver: async (leases) => {
      await pool.query(handOverLeases, [leases.map(({ endpointId }) => endpointId), leases.map(({ token }) => token)]);
    },
    release: (leases) => database.inTransaction((tx) => release(tx, leases, clock.now())),
  };
}

/** The secrets of an endpoint are decrypted once for all its deliveries. */
function withSecrets(rows: readonly DueRow[], secretsOf: (row: DueRow) => DueDelivery['secrets']): readonly DueDelivery[] {
  const opened = new Map<DueRow['endpointId'], DueDelivery['secrets']>();
  return rows.map((row) => {
    const secrets = opened.get(row.endpointId) ?? secretsOf(row);
    opened.set(row.endpointId, secrets);
    const { secret, previousSecret, previousValidUntil, ...due } = row;
    return { ...due, secrets };
  });
}

/** The locks come first, so that no delivery is inserted between the look for the next one and the end of the lease. */
async function release(tx: Tx, leases: readonly Lease[], now: Instant): Promise<readonly Released[]> {
  const held = await tx.query<Lease>(lockLeases, [leases.map(({ endpointId }) => endpointId)]);
  const tokens = new Map(held.map(({ endpointId, token }) => [endpointId, token]));
  const own = leases.filter(({ endpointId, token }) => tokens.get(endpointId) === token).map(({ endpointId }) => endpointId);
  const lost = leases.filter(({ endpointId, token }) => tokens.get(endpointId) !== token);
  const released = own.length === 0 ? [] : await tx.query<Released>(releaseLeases, [own, now]);
  return [...released, ...lost.map(({ endpointId }) => ({ endpointId, dueInMs: null }))];
}
