import type { BalanceTransaction, TransferType } from '@holdfast/shared/contracts/http';
import type { TransferId } from '@holdfast/shared/ids';
import { formatUnits, type Currency } from '@holdfast/shared/money';
import type { HistoryFilter } from '../use-cases/ports.js';

type HistoryRow = {
  readonly id: string;
  readonly type: string;
  readonly units: bigint;
  readonly description: string | null;
  readonly reference: string | null;
  readonly order_id: string | null;
  readonly available_units: bigint;
  readonly created_at: string;
};

const findHistory = {
  name: 'find-history',
  text: `
  select transfers.id, transfers.type, transfers.units, transfers.description, transfers.reference, transfers.order_id,
    transfers.available_units, transfers.created_at
  from accounts
  join transfers on transfers.account_id = accounts.id
  where accounts.owner = $1
    and accounts.currency = $2
    and accounts.kind = 'user'
    and ($3::integer is null or transfers.account_version < $3)
    and ($4::timestamptz is null or transfers.created_at > $4)
    and ($5::timestamptz is null or transfers.created_at < $5)
  order by transfers.account_version desc
  limit $6`,
};

const findCursor = {
  name: 'find-history-cursor',
  text: `
  select transfers.account_version
  from transfers
  join accounts on accounts.id = transfers.account_id
  where transfers.id = $3
    and accounts.owner = $1
    and accounts.currency = $2
    and accounts.kind = 'user'`,
};

type Rows = <Row>(
  statement: { readonly name: string; readonly text: string },
  values: readonly unknown[],
) => Promise<readonly Row[]>;

/** Newest first, in the order the account saw them. Undefined when the cursor is not an item of this list. */
export async function readHistory(
  rows: Rows,
  userId: string,
  filter: HistoryFilter,
): Promise<readonly BalanceTransaction[] | undefined> {
  const { currency, limit, cursor, createdAfter, createdBefore } = filter;
  const before = cursor === undefined ? null : await versionAt(rows, userId, currency, cursor);
  if (before === undefined) return undefined;
  const found = await rows<HistoryRow>(findHistory, [
    userId,
    currency,
    before,
    createdAfter ?? null,
    createdBefore ?? null,
    limit + 1,
  ]);
  return found.map((row) => toTransaction(row, currency));
}

async function versionAt(rows: Rows, userId: string, currency: Currency, cursor: string): Promise<number | undefined> {
  const [row] = await rows<{ readonly account_version: number }>(findCursor, [userId, currency, cursor]);
  return row?.account_version;
}

function toTransaction(row: HistoryRow, currency: Currency): BalanceTransaction {
  return {
    id: row.id as TransferId,
    type: row.type as TransferType,
    amount: formatUnits(row.units < 0n ? -row.units : row.units),
    direction: row.units < 0n ? 'DEBIT' : 'CREDIT',
    currency,
    description: row.description,
    reference: row.reference,
    orderId: row.order_id,
    balanceAfter: formatUnits(row.available_units),
    createdAt: row.created_at,
  };
}
