import type { BalanceTransaction, TransferType } from '@holdfast/contracts/http';
import type { UserId } from '@holdfast/kernel/ids';
import { formatUnits, type Currency } from '@holdfast/kernel/money';
import { createdWithin, equals, newestOf, queryPage, type Database, type KeysetList } from '@holdfast/postgres';
import type { HistoryFilter } from '../use-cases/ports.js';
import { accounts, movedUnitsOf, transfers, type TransferRow } from './schema.js';

/** Newest first. Undefined if the cursor is not an item of this list. */
export async function readHistory(
  { lists }: Pick<Database, 'lists'>,
  userId: UserId,
  filter: HistoryFilter,
): Promise<readonly BalanceTransaction[] | undefined> {
  const { currency, cursor } = filter;
  const account = await lists.manager.findOneBy(accounts.entity, { owner: userId, currency, kind: 'user' });
  if (account === null) return cursor === undefined ? [] : undefined;
  const rows = await queryPage<TransferRow>(lists, historyOf(account.id, filter), filter);
  return rows?.map((row) => toTransaction(row, currency));
}

function historyOf(accountId: bigint, filter: HistoryFilter): KeysetList {
  return {
    ...newestOf(transfers),
    keyset: ['created_at', 'account_version'],
    scope: [equals('account_id', accountId)],
    filters: createdWithin('created_at', filter),
  };
}

function toTransaction(row: TransferRow, currency: Currency): BalanceTransaction {
  const moved = movedUnitsOf(row);
  const availableAfter = formatUnits(row.availableUnits ?? 0n);
  return {
    id: row.id,
    type: row.type as TransferType,
    amount: formatUnits(moved < 0n ? -moved : moved),
    direction: moved < 0n ? 'DEBIT' : 'CREDIT',
    currency,
    description: row.description,
    reference: row.reference,
    orderId: row.orderId,
    availableChange: formatUnits(row.availableChangeUnits ?? 0n),
    reservedChange: formatUnits(row.reservedChangeUnits ?? 0n),
    availableAfter,
    reservedAfter: formatUnits(row.reservedUnits ?? 0n),
    balanceAfter: availableAfter,
    createdAt: row.createdAt,
  };
}
