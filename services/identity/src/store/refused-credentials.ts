import type { Tx } from '@holdfast/postgres';
import type { RefusalCount, UnitOfWork } from '../use-cases/ports.js';
import { upsertRefusedCredentials } from './schema.js';

const deleteRefusals = `
  with taken as (
    delete from refused_credentials
    where minute < $1
    returning minute, address, count
  )
  select minute, address, sum(count)::integer as count
  from taken
  group by minute, address
  order by minute, address`;

export function refusalsIn(tx: Tx): UnitOfWork['refusals'] {
  return {
    record: async ({ gatewayId, refusals }) => {
      await tx.query(upsertRefusedCredentials(refusals.map((refused) => ({ ...refused, gatewayId }))));
    },
    take: (before) => tx.query<RefusalCount>(deleteRefusals, [before]),
  };
}
