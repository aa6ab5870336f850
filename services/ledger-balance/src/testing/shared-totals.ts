import { formatUnits, type Currency } from '@holdfast/kernel/money';
import type { TestDatabase } from '@holdfast/testing/postgres';

const totals = `
  select accounts.kind || ':' || accounts.owner as name, sum(legs.units)::text as units
  from ledger_balance.legs
  join ledger_balance.accounts on accounts.id = legs.account_id
  where accounts.kind in ('platform', 'external') and accounts.currency = $1
  group by name`;

type Row = { readonly name: string; readonly units: string };

/** Returns what has changed in the shared accounts of a currency since the call: `{ 'external:payins': '-5.00' }`. */
export async function sharedChanges(
  database: TestDatabase,
  currency: Currency = 'USD',
): Promise<() => Promise<Readonly<Record<string, string>>>> {
  const read = async (): Promise<ReadonlyMap<string, bigint>> => {
    const rows = await database.asAdmin<Row>(totals, [currency]);
    return new Map(rows.map(({ name, units }) => [name, BigInt(units)]));
  };
  const before = await read();
  return async () => {
    const changes = [...(await read())].map(([name, units]) => [name, units - (before.get(name) ?? 0n)] as const);
    return Object.fromEntries(changes.filter(([, units]) => units !== 0n).map(([name, units]) => [name, formatUnits(units)]));
  };
}
