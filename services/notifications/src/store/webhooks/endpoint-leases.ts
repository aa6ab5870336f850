import type { Clock, Instant } from '@holdfast/kernel/context';
import type { WebhookEndpointId } from '@holdfast/kernel/ids';
import type { Database, Tx } from '@holdfast/postgres';
import { claimDue } from '@holdfast/work';
import type { Claimed, DeliveryQueue, IdleLease, Lease, Released } from '../../use-cases/webhooks/worker-ports.js';
import { batches, removeBatches } from './batches.js';
import { deliveries, endpoints } from './schema.js';

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
  returning: `${endpoints.table}.id as "endpointId",
    lease_token as token,
    released_token <> lease_token - 1 as "isTakenOver"`,
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
    released_token = lease_token,
    due_at = least(${firstDue(false)}, ${firstDue(true)})
  where id = any($1)
    and coalesce(least(${firstDue(false)}, ${firstDue(true)}) > $2, true)
    and (select true from ${batches} where endpoint_id = ${endpoints.table}.id limit 1) is null
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

type Leases = Pick<DeliveryQueue, 'claim' | 'extend' | 'release' | 'handOver'>;

/** Due times are by the clock of the process. Leases are by the clock of the database, because processes compare them. */
export function endpointLeases(database: Pick<Database, 'pool' | 'inTransaction'>, clock: Clock): Leases {
  const { pool } = database;
  return {
    claim: async (limit) => (await pool.query<Claimed>(claimEndpoints, [clock.now(), limit])).rows,
    extend: async (leases) => (await pool.query<Lease>(extendLeases, [idsOf(leases), tokensOf(leases)])).rows,
    handOver: async (leases) => {
      await pool.query(handOverLeases, [idsOf(leases), tokensOf(leases)]);
    },
    release: (leases) => database.inTransaction((tx) => release(tx, leases, clock.now())),
  };
}

function idsOf(leases: readonly Lease[]): readonly WebhookEndpointId[] {
  return leases.map(({ endpointId }) => endpointId);
}

function tokensOf(leases: readonly Lease[]): readonly bigint[] {
  return leases.map(({ token }) => token);
}

/** The locks come first, so that no delivery is queued between the look for the next one and the end of the lease. */
async function release(tx: Tx, leases: readonly IdleLease[], now: Instant): Promise<readonly Released[]> {
  const held = await tx.query<Lease>(lockLeases, [idsOf(leases)]);
  const tokens = new Map(held.map(({ endpointId, token }) => [endpointId, token]));
  const own = leases.filter(({ endpointId, token }) => tokens.get(endpointId) === token);
  const lost = leases.filter(({ endpointId, token }) => tokens.get(endpointId) !== token);
  return [...(await releaseOwn(tx, own, now)), ...lost.map(({ endpointId }) => ({ endpointId, dueInMs: null }))];
}

async function releaseOwn(tx: Tx, own: readonly IdleLease[], now: Instant): Promise<readonly Released[]> {
  if (own.length === 0) return [];
  tx.defer(removeBatches(own.map(({ endpointId, storedUntil }) => ({ endpointId, position: storedUntil }))));
  return tx.query<Released>(releaseLeases, [idsOf(own), now]);
}
