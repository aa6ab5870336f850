import { Client } from 'pg';

/** What the database has seen so far: how many transactions were committed, and how many messages were acted on. */
export type Counted = { readonly commits: number; readonly messages: number };

const services = ['identity', 'ledger_balance', 'orders', 'escrow_adapter', 'notifications'];

/** Postgres reports its statistics a little late. */
const statisticsDelayMs = 1_500;

export async function countCommits(databaseUrl: string): Promise<Counted> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await new Promise((resolve) => setTimeout(resolve, statisticsDelayMs));
    const commits = await client.query<{ readonly count: string }>(
      'select xact_commit::text as count from pg_stat_database where datname = current_database()',
    );
    const inboxCounts = services.map((schema) => `select count(*) as handled from ${schema}.inbox`).join(' union all ');
    const messages = await client.query<{ readonly count: string }>(
      `select sum(handled)::text as count from (${inboxCounts}) as inboxes`,
    );
    return { commits: Number(commits.rows[0]?.count), messages: Number(messages.rows[0]?.count) };
  } finally {
    await client.end();
  }
}
