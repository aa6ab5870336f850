import type { Tx } from '@holdfast/postgres';
import type { UnitOfWork } from '../use-cases/ports.js';

const insertCapital = {
  name: 'insert-provider-capital',
  text: `
  with inserted as (
    insert into provider_capital (units)
    values ($1)
    on conflict (is_only) do nothing
    returning units
  )
  select units, true as "isNew"
  from inserted
  union all
  select units, false
  from provider_capital`,
};

/** The last part reads the rows as they were before. */
const upsertFees = {
  name: 'upsert-provider-fees',
  text: `
  with changed as (
    insert into provider_fees (provider_id, units)
    select "providerId", units
    from jsonb_to_recordset($1) as given ("providerId" text, units bigint)
    order by "providerId"
    on conflict (provider_id) do update
    set units = excluded.units
    where provider_fees.units <> excluded.units
    returning provider_id, units
  )
  select coalesce(sum(changed.units - coalesce(provider_fees.units, 0)), 0)::bigint as units
  from changed
  left join provider_fees on provider_fees.provider_id = changed.provider_id`,
};

const feesPerStatement = 1_000;

export function providerAccountOf(tx: Pick<Tx, 'query'>): UnitOfWork['providerAccount'] {
  return {
    recordCapital: async (units) => {
      const [row] = await tx.query<{ readonly units: bigint; readonly isNew: boolean }>(insertCapital, [units]);
      if (row === undefined) throw new Error('another process has just stored the capital');
      return row;
    },
    recordFees: async (fees) => {
      let changed = 0n;
      for (let start = 0; start < fees.length; start += feesPerStatement) {
        const chunk = fees.slice(start, start + feesPerStatement);
        const given = JSON.stringify(chunk.map(({ providerId, units }) => ({ providerId, units: units.toString() })));
        changed += (await tx.query<{ readonly units: bigint }>(upsertFees, [given]))[0]?.units ?? 0n;
      }
      return changed;
    },
  };
}
