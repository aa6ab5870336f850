import type { BalanceTransaction, TransferType } from '@holdfast/contracts/http';
import type { UserId } from '@holdfast/kernel/ids';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import { createdWithin, equals, queryPage, type KeysetList, selectList, type Database } from '@holdfast/postgres';
import type { HistoryFilter } from '../use-cases/ports.js';
import { accountSchema, transferColumns, type TransferRow } from './schema.js';

/** Newest first by account version. Undefined if the cursor is not an item of this list. */
export async function readHistory(
  { lists }: Pick<Database, 'lists'>,
  userId: UserId,
  filter: HistoryFilter,
): Promise<readonly BalanceTransaction[] | undefined> {
  const { currency, cursor } = filter;
  const account = await lists.manager.findOneBy(accountSchema, { owner: userId, currency, kind: 'user' });
  if (account === null) return cursor === undefined ? [] : undefined;
  const query = async <Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> =>
    (await lists.query<Row>(text, values)).rows;
  const rows = await queryPage<TransferRow>(query, historyOf(account.id, filter), filter);
  return rows?.map((row) => toTransaction(row, currency));
}

function historyOf(accountId: bigint, filter: HistoryFilter): KeysetList {
  return {
    columns: selectList(transferColumns, 'transfers'),
    from: 'transfers',
    keyset: ['account_version'],
    idColumn: 'id',
    scope: [equals('account_id', accountId)],
    filters: createdWithin('created_at', filter),
  };
}

function toTransaction(row: TransferRow, currency: Currency): BalanceTransaction {
  const units = row.units ?? 0n;
  return {
    id: row.id,
    type: row.type as TransferType,
    amount: formatUnits(units < 0n ? -units : units),
    direction: units < 0n ? 'DEBIT' : 'CREDIT',
    currency,
    description: row.description,
    reference: row.reference,
    orderId: row.orderId,
    balanceAfter: formatUnits(row.availableUnits ?? 0n),
    createdAt: row.createdAt,
  };
}
