import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import type { UserId } from '@holdfast/kernel/ids';
import { startListening } from '../servers/listening-process.js';

export type Reference = {
  readonly url: string;
  /** Throws unless the balances are the sum of the entries. Returns how many credits were committed. */
  readonly audit: () => Promise<number>;
  readonly stop: () => Promise<void>;
};

const program = fileURLToPath(new URL('../../dist/serve.js', import.meta.url));

const createTables = `
  create table reference_balances (
    user_id text primary key,
    cents bigint not null
  ) with (fillfactor = 50);
  create table reference_entries (
    id bigint generated always as identity primary key,
    user_id text not null,
    cents bigint not null,
    created_at timestamptz not null default now()
  )`;

const insertUsers = `
  insert into reference_balances (user_id, cents)
  select user_id, 0
  from unnest($1::text[]) as user_id`;

const countCredits = `
  select
    (select coalesce(sum(cents), 0)::int from reference_balances) as balances,
    (select coalesce(sum(cents), 0)::int from reference_entries) as entries`;

/** The plain express service, on its own tables in its own database. */
export async function startReference(databaseUrl: string, users: readonly UserId[]): Promise<Reference> {
  const admin = new Client({ connectionString: databaseUrl });
  await admin.connect();
  await admin.query(createTables);
  await admin.query(insertUsers, [users]);
  const service = await startListening(program, [databaseUrl]);
  return {
    url: service.url,
    audit: async () => {
      const { rows } = await admin.query<{ readonly balances: number; readonly entries: number }>(countCredits);
      const [sums] = rows;
      if (sums === undefined || sums.balances !== sums.entries)
        throw new Error(`the reference does not add up: ${JSON.stringify(sums)}`);
      return sums.entries;
    },
    stop: async () => {
      await service.stop();
      await admin.end();
    },
  };
}
