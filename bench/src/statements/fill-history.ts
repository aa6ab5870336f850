import { Client } from 'pg';
import type { UserId } from '@holdfast/kernel/ids';
import type { Database } from '@holdfast/postgres';

type History = { readonly userId: UserId; readonly lines: number; readonly days: number };

const createAccount = `
  insert into accounts (kind, owner, currency, available_units, version, updated_at)
  values ('user', $1, 'USD', $2::bigint * 10000000, $2::integer, now())`;

/** Credits of 1.00 at equal distances, up to now. Every tenth pays the user for an order, less a fee of 0.05. */
const insertTransfers = `
  insert into transfers (id, cause, type, marketplace_id, account_id, available_change_units, reserved_change_units, available_units,
    reserved_units, account_version, order_id, fee_units, description, created_at)
  select $1 || n, $1 || n, case when n % 10 = 0 then 'ESCROW_PAYOUT' else 'CREDIT' end, 'mkt_default', accounts.id, 10000000, 0,
    n * 10000000, 0, n, case when n % 10 = 0 then 'ord_' || n end, case when n % 10 = 0 then 500000 end, 'Escrow: released',
    now() - ($4::bigint - n) * ($5::float8 / $4) * interval '1 day'
  from accounts, generate_series($2::bigint, $3::bigint) as n
  where accounts.owner = 'usr_' || substr($1, 4)
    and accounts.kind = 'user'`;

/** A statement has at most this many rows, so that it ends in time. */
const rowsPerStatement = 50_000;

/** Writes a history set-wise, with the balances that the poster would have stored. */
export async function fillHistory({ pool }: Database, { userId, lines, days }: History): Promise<void> {
  await pool.query(createAccount, [userId, lines]);
  for (let first = 1; first <= lines; first += rowsPerStatement) {
    const last = Math.min(lines, first + rowsPerStatement - 1);
    await pool.query(insertTransfers, [`tr_${userId.slice('usr_'.length)}`, first, last, lines, days]);
  }
}

/** What autovacuum does some time after so many inserts. */
export async function vacuum(adminUrl: string): Promise<void> {
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query('vacuum (analyze) ledger_balance.transfers');
  await admin.end();
}
