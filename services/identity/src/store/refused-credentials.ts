import type { Tx } from '@holdfast/shared/postgres';
import type { RefusedOfMinute, Work } from '../use-cases/ports.js';

/** A gateway tells the whole count of a minute each time. */
const noteRefusals = `
  insert into refused_credentials (minute, address, gateway_id, count)
  select minute, address, $1, count
  from unnest($2::timestamptz[], $3::text[], $4::integer[]) as refused (minute, address, count)
  order by minute, address
  on conflict (minute, address, gateway_id) do update
  set count = greatest(refused_credentials.count, excluded.count)`;

const takeRefusals = `
  with taken as (
    delete from refused_credentials
    where minute < $1
    returning minute, address, count
  )
  select minute, address, sum(count)::integer as count
  from taken
  group by minute, address
  order by minute, address`;

export function refusalsIn(tx: Tx): Work['refusals'] {
  return {
    note: async ({ gatewayId, refusals }) => {
      const columns = [refusals.map(({ minute }) => minute), refusals.map(({ address }) => address)];
      await tx.query(noteRefusals, [gatewayId, ...columns, refusals.map(({ count }) => count)]);
    },
    take: (before) => tx.query<RefusedOfMinute>(takeRefusals, [before]),
  };
}
